import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fillCompileCache, THREADS } from '../../../scripts/compile-cache.ts'
import { newFolder } from '../../support/folder.ts'
import { STEP_LIMIT_MS } from '../../support/limits.ts'

const RUNS_FOR_EVER = 'setInterval(() => {}, 1000)'
const LISTENS = `process.on('SIGTERM', () => process.exit()); console.log('Tessera is running'); ${RUNS_FOR_EVER}`

let root: string
let warnings: string[]

beforeEach(async () => {
  root = await newFolder()
  for (const thread of THREADS) await program(thread, '')
  warnings = []
  vi.spyOn(console, 'warn').mockImplementation((text: string) => warnings.push(text))
})
afterEach(() => void vi.restoreAllMocks())

async function program(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

const server = (text: string) => program('src/server/main.ts', text)

test('a server that is not up in time is a warning, and the build goes on', async () => {
  await server(RUNS_FOR_EVER)
  await fillCompileCache(root, 'one', 50)
  expect(warnings).toEqual([
    expect.stringMatching(/src\/server\/main.ts was not done after 0.05 s/),
  ])
})

test('a server that does not start is a warning too', async () => {
  await server('process.exit(3)')
  await fillCompileCache(root, 'one', STEP_LIMIT_MS)
  expect(warnings).toEqual([expect.stringMatching(/src\/server\/main.ts ended with 3/)])
})

test('the server is run once for each state of its code', async () => {
  await server(LISTENS)
  await fillCompileCache(root, 'one', STEP_LIMIT_MS)
  await server('process.exit(3)')
  await fillCompileCache(root, 'one', STEP_LIMIT_MS)
  expect(warnings).toEqual([])
  await fillCompileCache(root, 'two', STEP_LIMIT_MS)
  expect(warnings).toHaveLength(1)
})

test.each(THREADS)('%s is there to be compiled', (thread) => {
  expect(existsSync(fileURLToPath(new URL(`../../../${thread}`, import.meta.url)))).toBe(true)
})
