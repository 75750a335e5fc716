import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { eventually } from '../support/ledger.ts'
import { ended } from '../support/process.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let dataDir: string
let origin: string
let child: ChildProcess
let said = ''

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tessera-dev-'))
  const port = String(await freePort())
  origin = `http://localhost:${port}`
  const env = { ...process.env, NODE_ENV: 'development', PORT: port, DATA_DIR: dataDir }
  child = spawn('node', ['scripts/dev.ts'], { cwd: ROOT, env, stdio: 'pipe' })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      said += chunk
    })
  }
  await eventually(() => {
    if (child.exitCode !== null) throw new Error(`it ended:\n${said}`)
    return said.includes('Tessera in development')
  })
})
afterAll(async () => {
  await ended(child, 'SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

const get = async (path: string) => {
  const response = await fetch(origin + path)
  return { status: response.status, text: await response.text() }
}

test('the landing page comes from source, rendered ahead, with Vite’s client', async () => {
  const { status, text } = await get('/')
  expect(status).toBe(200)
  expect(text).toContain('/@vite/client')
  expect(text).toContain('src="/landing.tsx"')
  expect(text).toContain('Create &amp; Manage QR Codes Like a Pro</h1>')
  expect(text).toContain(`<link rel="canonical" href="${origin}/">`)
})

test('the server chooses the other pages and their status', async () => {
  expect((await get('/dashboard')).text).toContain('src="/main.tsx"')
  expect((await get('/api/login')).text).toContain('src="/sign-in.tsx"')
  const unknown = await get('/nowhere')
  expect(unknown).toMatchObject({ status: 404, text: expect.stringContaining('src="/main.tsx"') })
  expect(await get('/qr/nowhere')).toMatchObject({ status: 404 })
})

test('scripts are served from source and the API from the server', async () => {
  expect((await get('/main.tsx')).text).toContain('from "/router.tsx')
  expect(JSON.parse((await get('/api/config')).text)).toMatchObject({ hostUrl: origin })
})

test('a server file that is saved restarts the server', async () => {
  const starts = () => said.split('"Tessera is running').length - 1
  await eventually(() => starts() === 1)
  const now = new Date()
  await utimes(join(ROOT, 'src/server/main.ts'), now, now)
  await eventually(() => starts() === 2)
  expect(await get('/healthz')).toMatchObject({ status: 200 })
})
