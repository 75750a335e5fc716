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

const OPEN = ['../own.ts', '../../own/part.ts', '#contract/analytics/utm.ts']
/** What a file three folders deep in a part may import, and the folders of which each room may import any file */
const SIDES = {
  server: { open: [...OPEN, '../../../codes/types.ts'], shared: ['database', 'http', 'pictures'] },
  client: { open: OPEN, shared: ['files', 'ui'] },
}

test.each(['server', 'client'] as const)(
  'rooms of the %s can’t import each other',
  async (side) => {
    const { open, shared } = SIDES[side]
    const rooms = foldersOf(`src/${side}`).filter((room) => !shared.includes(room))
    const closed = rooms.map((room) => `../../../${room}/deep/in/it.ts`)
    const lines = [...open, ...closed].map((from) => `import type { Own } from '${from}'`)
    const folder = await newFolder()
    const file = join(folder, `src/${side}/${shared[0]}/one/two/three.ts`)
    mkdirSync(join(file, '..'), { recursive: true })
    copyFileSync('biome.json', join(folder, 'biome.json'))
    writeFileSync(file, lines.join('\n'))
    const command = 'lint --only=style/noRestrictedImports --max-diagnostics=none --reporter=github'
    const lint = spawnSync(resolve('node_modules/.bin/biome'), command.split(' '), { cwd: folder })
    const refused = [...`${lint.stdout}`.matchAll(/,line=(\d+),/g)].map(([, line]) => Number(line))
    expect(refused).toEqual(closed.map((_, index) => open.length + index + 1))
  },
)

const guide = readFileSync('CONTRIBUTING.md', 'utf8')

test.each(['contract', 'qr', 'server', 'client'])(
  'CONTRIBUTING names each folder of %s/',
  (part) => {
    const [, shown = ''] = guide.match(`\n  ${part}/ ([^]*?)\n(?:  )?\\w`) ?? []
    const named = [...shown.matchAll(/([\w-]+)\/(?!\w)|([\w-]+)\/\{(.*?)\}/g)]
    const names = named.map(([, alone, room]) => alone ?? room).sort()
    expect(names).toEqual(foldersOf(`src/${part}`))
    for (const [, , room, inside] of named) {
      if (room) expect(inside?.split(',').sort()).toEqual(foldersOf(`src/${part}/${room}`))
    }
  },
)
