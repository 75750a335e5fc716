import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ended } from '../support/process.ts'
import { freePort } from '../support/tessera.ts'

/** The environment of a newcomer: nothing of ours, nothing of the test runner. */
const { HOME = '', PATH = '' } = process.env

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tessera-start-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

function npmStart(settings: Record<string, string>) {
  const child = spawn('npm', ['start'], { env: { HOME, PATH, ...settings }, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const says = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => output.includes(text) && resolve(output)
      child.stdout.on('data', look)
      child.once('exit', () => reject(new Error(`npm start ended without it:\n${output}`)))
    })
  return { child, says, output: () => output }
}

test('npm start prints its address, serves the landing page and ends with 0', async () => {
  const port = await freePort()
  const { child, says } = npmStart({ PORT: String(port), DATA_DIR: dataDir })
  await says(`Tessera is running at http://localhost:${port}`)
  const page = await fetch(`http://localhost:${port}/`)
  expect(page.status).toBe(200)
  expect(await page.text()).toContain('Create &amp; Manage QR Codes Like a Pro')
  expect(await ended(child, 'SIGTERM')).toBe(0)
  expect(await readdir(dataDir)).toContain('tessera.sqlite')
})

test('a bad setting stops the start with one line that names it', async () => {
  const { child, output } = npmStart({ PORT: 'eighty', DATA_DIR: dataDir })
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code).toBe(1)
  expect(output()).toMatch(/^PORT .*a port from 0 to 65535$/m)
  expect(output()).not.toMatch(/^\s+at /m)
})
