import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../../support/folder.ts'

const foldersOf = (path: string) =>
  readdirSync(path)
    .sort()
    .filter((name) => statSync(join(path, name)).isDirectory())

const OPEN = ['../own.ts', '#contract/analytics/utm.ts', '../../../billing/types.ts']
/** The folders of which each room may import any file */
const SHARED = ['database', 'http', 'pictures', 'drawing', 'files', 'ui']
const LINT = 'lint --only=style/noRestrictedImports --max-diagnostics=none --reporter=github'

test.each(['server', 'client'])('rooms of the %s can’t import each other', async (side) => {
  const open = side === 'server' ? OPEN : OPEN.slice(0, 2)
  const rooms = foldersOf(`src/${side}`).filter((room) => !SHARED.includes(room))
  const closed = rooms.map((room) => `../../../${room}/deep/in/it.ts`)
  const folder = await newFolder()
  const place = join(folder, `src/${side}/room/one/two`)
  mkdirSync(place, { recursive: true })
  copyFileSync('biome.json', join(folder, 'biome.json'))
  const lines = [...open, ...closed].map((from) => `import type { Own } from '${from}'`)
  writeFileSync(join(place, 'three.ts'), lines.join('\n'))
  const lint = spawnSync(resolve('node_modules/.bin/biome'), LINT.split(' '), { cwd: folder })
  const refused = [...`${lint.stdout}`.matchAll(/,line=(\d+),/g)].map(([, line]) => Number(line))
  expect(refused).toEqual(closed.map((_, index) => open.length + index + 1))
})

test.each(['contract', 'qr', 'server', 'client'])('CONTRIBUTING names all of src/%s', (part) => {
  const guide = readFileSync('CONTRIBUTING.md', 'utf8')
  const [, shown = ''] = guide.match(`\n  ${part}/ ([^]*?)\n(?:  )?\\w`) ?? []
  const named = [...shown.matchAll(/([\w-]+)\/(?!\w)|([\w-]+)\/\{(.*?)\}/g)]
  const names = named.map(([, alone, room]) => alone ?? room).sort()
  expect(names).toEqual(foldersOf(`src/${part}`))
  for (const [, , room, inside] of named) {
    if (room) expect(inside?.split(',').sort()).toEqual(foldersOf(`src/${part}/${room}`))
  }
})
