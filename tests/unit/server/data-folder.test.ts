import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { keepPrivate } from '../../../src/server/data-folder.ts'
import { newFolder } from '../../support/folder.ts'

const isPosix = process.platform !== 'win32'

const OURS = ['tessera.sqlite', 'tessera.sqlite-wal', 'session-secret', 'spill/a.jsonl']

let folder: string
let warnings: string[]
beforeEach(async () => {
  folder = await newFolder()
  warnings = []
  await mkdir(join(folder, 'spill'))
  for (const name of OURS) {
    await writeFile(join(folder, name), 'ours')
    await chmod(join(folder, name), 0o644)
  }
  for (const path of [folder, join(folder, 'spill')]) await chmod(path, 0o755)
})

const rightsOf = async (name: string) => ((await stat(join(folder, name))).mode & 0o777).toString(8)
const keep = () => keepPrivate(folder, (message) => warnings.push(message))

test.runIf(isPosix)('the folder and all our files in it are for the service alone', async () => {
  await writeFile(join(folder, 'demo.json'), '{}')
  keep()
  expect(warnings).toEqual([])
  for (const name of ['.', 'spill']) expect(await rightsOf(name)).toBe('700')
  for (const name of OURS) expect(await rightsOf(name)).toBe('600')
})

test.runIf(isPosix)('a folder that holds something else too keeps its rights', async () => {
  await writeFile(join(folder, 'holiday.jpg'), 'not ours')
  await chmod(join(folder, 'holiday.jpg'), 0o644)
  keep()
  expect(warnings).toEqual([expect.stringContaining('holds files that are not ours')])
  expect(await rightsOf('.')).toBe('755')
  expect(await rightsOf('holiday.jpg')).toBe('644')
  expect(await rightsOf('tessera.sqlite')).toBe('600')
})

test('a folder that is not there is nothing to warn of', () => {
  keepPrivate(join(folder, 'none'), (message) => warnings.push(message))
  expect(warnings).toEqual([])
})
