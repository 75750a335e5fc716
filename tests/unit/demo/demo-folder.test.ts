import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DemoRefused, madeAt, markMade, takeFolder } from '../../../scripts/demo/demo-folder.ts'

let parent: string
let folder: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'tessera-demo-'))
  folder = join(parent, 'demo')
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const holds = (name: string) => writeFile(join(folder, name), 'x')

test('a folder that is not there yet becomes the demo’s', async () => {
  await takeFolder(folder)
  expect(await readdir(folder)).toEqual(['demo.json'])
  expect(await madeAt(folder)).toBeUndefined()
})

test('a demo counts as made only once that is marked', async () => {
  await takeFolder(folder)
  await holds('tessera.sqlite')
  expect(await madeAt(folder)).toBeUndefined()
  await markMade(folder, new Date('2026-05-04T10:00:00Z'))
  expect(await madeAt(folder)).toEqual(new Date('2026-05-04T10:00:00Z'))
})

test('a mark without its database does not count', async () => {
  await takeFolder(folder)
  await markMade(folder, new Date())
  expect(await madeAt(folder)).toBeUndefined()
})

test('what a making left that was cut off goes', async () => {
  await takeFolder(folder)
  const left = ['tessera.sqlite', 'tessera.sqlite-wal', 'session-secret', 'demo.json.new']
  for (const name of left) await holds(name)
  await takeFolder(folder)
  expect(await readdir(folder)).toEqual(['demo.json'])
})

test('a making that was cut off at its first mark begins again', async () => {
  await mkdir(folder)
  await holds('demo.json.new')
  await takeFolder(folder)
  expect(await readdir(folder)).toEqual(['demo.json'])
})

test.each([[['tessera.sqlite']], [['tessera.sqlite', 'session-secret']], [['notes.txt']]])(
  'a folder that holds %j is refused and left alone',
  async (names) => {
    await mkdir(folder)
    for (const name of names) await holds(name)
    await expect(takeFolder(folder)).rejects.toThrow(DemoRefused)
    await expect(takeFolder(folder)).rejects.toThrow(/^DATA_DIR is .* is not the demo's: .*$/)
    expect((await readdir(folder)).sort()).toEqual([...names].sort())
  },
)

test('a half-made demo with something of somebody else’s beside it is left alone', async () => {
  await takeFolder(folder)
  await holds('tessera.sqlite')
  await holds('letter.odt')
  await expect(takeFolder(folder)).rejects.toThrow('letter.odt')
  expect((await readdir(folder)).sort()).toEqual(['demo.json', 'letter.odt', 'tessera.sqlite'])
})

test('what is no folder is refused', async () => {
  await writeFile(folder, 'x')
  await expect(takeFolder(folder)).rejects.toThrow(DemoRefused)
})
