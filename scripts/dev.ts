/**
 * `npm run dev`: Vite in front, the real server behind it. Vite serves the client's source, and shows
 * an edit at once; every other request goes to the server, which restarts when its code changes. The
 * server still chooses which page an address has; here that page is put in from source.
 */
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createServer as createVite } from 'vite'
import { ConfigError, readConfig } from '../src/server/config.ts'
import { fillPlaces } from '../src/server/pages/pages.ts'
import { allBuilt, fillMarks, pageNames } from './client-pages.ts'
import { DevServer } from './dev/dev-server.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A built page, told by its script. */
const BUILT_PAGE = new RegExp(`src="/assets/(${pageNames.join('|')})-[^"]+\\.js"`)

function settings() {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(error.message)
    return process.exit(1)
  }
}

const config = settings()
// The server does not start without built pages. Old ones will do: only their names are used.
if (!allBuilt(join(root, 'dist/client'))) {
  const { status } = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(1)
}

const server = new DevServer(root, { PUBLIC_URL: config.publicUrl })
const front = createServer((asked, answer) => {
  vite.middlewares(asked, answer, () => void forward(asked, answer))
})
const vite = await createVite({
  configFile: join(root, 'vite.config.ts'),
  appType: 'custom',
  server: { middlewareMode: true, hmr: { server: front } },
})

async function forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const port = await server.listening()
  if (port === null) return fail(answer, 'The server has ended: its terminal says why')
  const { method, url, headers } = asked
  const options = { host: '127.0.0.1', port, method, path: url }
  // Not compressed: a page is searched for its script.
  const sent = request({ ...options, headers: { ...headers, 'accept-encoding': 'identity' } })
  sent.once('error', (error) => fail(answer, error.message))
  sent.once('response', (answered) => {
    pass(answered, answer).catch((error) => fail(answer, error.stack))
  })
  asked.pipe(sent)
}

function fail(answer: ServerResponse, message: string): void {
  if (!answer.headersSent) answer.writeHead(502, { 'content-type': 'text/plain' })
  answer.end(message)
}

async function pass(answered: IncomingMessage, answer: ServerResponse): Promise<void> {
  const { statusCode = 502, headers } = answered
  if (!headers['content-type']?.startsWith('text/html')) {
    answer.writeHead(statusCode, headers)
    answered.pipe(answer)
    return
  }
  const html = await text(answered)
  const [, name] = BUILT_PAGE.exec(html) ?? []
  // Vite's inline scripts and its socket are not in the policy of the built pages.
  const { 'content-length': _length, 'content-security-policy': _policy, ...others } = headers
  answer.writeHead(statusCode, others).end(name ? await sourcePage(name) : html)
}

async function sourcePage(name: string): Promise<string> {
  const file = join(root, 'src/client', `${name}.html`)
  // Pages are answered under other addresses than their files'.
  const source = (await readFile(file, 'utf8')).replaceAll('="./', '="/')
  const html = name === 'landing' ? await landing(source) : source
  return vite.transformIndexHtml(`/${name}.html`, html)
}

/** Rendered ahead of its script, as the build does it. */
async function landing(source: string): Promise<string> {
  const { render } = await vite.ssrLoadModule('/landing-prerender.tsx')
  return fillPlaces(fillMarks(source, await render()), config)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void server.stop().then(() => process.exit(0)))
}
front.once('error', (error) => {
  console.error(error.message)
  process.exit(1)
})
front.listen(config.port, process.env.HOST?.trim() || 'localhost', async () => {
  await server.start()
  console.log(`Tessera in development: ${config.publicUrl}`)
})
