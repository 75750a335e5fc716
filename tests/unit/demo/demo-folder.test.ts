import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeUnlessMade } from '../../../scripts/demo/make-demo.ts'
import { readConfig } from '../../../src/server/config.ts'

let parent: string
let dataDir: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tessera-demo-folder-'))
  dataDir = join(parent, 'demo')
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const make = () => makeUnlessMade(readConfig({ DATA_DIR: dataDir }))

test.each(['tessera.sqlite', 'session-secret', 'notes.txt'])(
  'a folder that holds %s and no finished demo is refused and left alone',
  async (name) => {
    await mkdir(dataDir)
    await writeFile(join(dataDir, name), 'x')
    await expect(make()).rejects.toThrow(`holds ${name} and is not the demo's`)
    expect(await readdir(dataDir)).toEqual([name])
    expect(await readdir(parent)).toEqual(['demo'])
  },
)

test('another program’s folder with the name of an unfinished demo is left alone', async () => {
  await mkdir(`${dataDir}.unfinished`)
  await writeFile(join(`${dataDir}.unfinished`, 'letter.odt'), 'x')
  await expect(make()).rejects.toThrow('EEXIST')
  expect(await readdir(`${dataDir}.unfinished`)).toEqual(['letter.odt'])
})

test('a file in place of the folder is left alone', async () => {
  await writeFile(dataDir, 'x')
  await expect(make()).rejects.toThrow('ENOTDIR')
  expect(await readdir(parent)).toEqual(['demo'])
})
