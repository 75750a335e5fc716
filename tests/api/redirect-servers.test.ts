import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  caddyfile,
  nginxLocation,
  nginxMap,
  plainAddress,
  type Redirect,
  type RedirectFormat,
} from '../../src/server/accounts/export/redirect-formats.ts'
import { hostileUrls } from '../support/any-redirect.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { isInstalled } from '../support/installed.ts'
import { STEP_LIMIT_MS } from '../support/limits.ts'
import { ended } from '../support/process.ts'

/* The files of 'Take my links with me' in the servers that they are for, as Debian has them. */

/** Hundreds of links, the hostile ones among them, and a name of every shape. */
const redirects: Redirect[] = [
  ...hostileUrls.map((url, index) => ({ names: [`hostile${index}`, `-h_${index}`], url })),
  { names: ['a'.repeat(50), '___', '---', 'abc'], url: 'https://example.com/names' },
  ...Array.from({ length: 200 }, (_, index) => ({
    names: [`code${index}`, `former-${index}`],
    url: `https://example.com/page/${index}?from=qr`,
  })),
]

const fileOf = (format: RedirectFormat) =>
  format.head + redirects.map(format.lines).join('') + format.tail

let folder = ''
let server: ChildProcess | undefined
beforeEach(async () => {
  folder = await newFolder()
})
afterEach(async () => {
  if (server) await ended(server, 'SIGTERM')
  server = undefined
  await rm(folder, { recursive: true, force: true })
})

async function serve(origin: string, command: string, args: string[]) {
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  server = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...home } })
  const answers = () =>
    fetch(`${origin}/up`, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
  await expect.poll(answers, { timeout: STEP_LIMIT_MS }).toBe(true)
}

/** Where each name leads that leads elsewhere than it has to. */
async function wrongLinks(origin: string) {
  const wrong: unknown[] = []
  for (const { names, url } of redirects) {
    for (const path of names.flatMap((name) => [`/qr/${name}`, `/QR/${name.toUpperCase()}`])) {
      const response = await fetch(origin + path, { redirect: 'manual' })
      const location = response.headers.get('location')
      if (response.status === 302 && location === plainAddress(url)) continue
      wrong.push([path, response.status, location])
    }
  }
  return wrong
}

const statusOf = async (origin: string, path: string) =>
  (await fetch(origin + path, { redirect: 'manual' })).status

/** `.ci/run` installs both; elsewhere a test is left out and says why. */
function demand(program: 'nginx' | 'caddy', skip: (note: string) => void) {
  if (!isInstalled(program)) skip(`${program} is not installed`)
}

describe('nginx', () => {
  test('loads its map, and every link leads where it led', async ({ skip }) => {
    demand('nginx', skip)
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    await mkdir(join(folder, 'conf.d'))
    for (const host of [{ origin }, { origin, domain: 1 }]) {
      const file = join(folder, 'conf.d', `${host.domain ?? 0}.conf`)
      await writeFile(file, fileOf(nginxMap(host)))
    }
    // The file of a domain alone, as its head says.
    const alone = fileOf(nginxMap({ origin, domain: 1 })).replace(/^# (map_hash)/gm, '$1')
    await writeFile(join(folder, 'alone.conf'), alone)
    const only = `pid ${folder}/pid; events {} http { include ${folder}/alone.conf; }`
    await writeFile(join(folder, 'only.conf'), only)
    execFileSync('nginx', ['-t', '-q', '-c', join(folder, 'only.conf'), '-p', folder])
    const main = [
      `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;`,
      'events {}',
      'http {',
      `access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;`,
      `fastcgi_temp_path ${folder}/fcgi; uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;`,
      `include ${folder}/conf.d/*.conf;`,
      `server { listen 127.0.0.1:${port}; ${nginxLocation({ origin }).join('\n')} }`,
      '}',
    ]
    const file = join(folder, 'nginx.conf')
    await writeFile(file, main.join('\n'))
    await serve(origin, 'nginx', ['-c', file, '-p', folder])
    expect(await wrongLinks(origin)).toEqual([])
    expect(await statusOf(origin, '/qr/unknown')).toBe(404)
  })
})

describe('Caddy', () => {
  test('loads its file, and every link leads where it led', async ({ skip }) => {
    demand('caddy', skip)
    const origin = `http://127.0.0.1:${await freePort()}`
    const format = caddyfile({ origin })
    const file = join(folder, format.fileName)
    // The administration's port could be taken by another Caddy.
    await writeFile(file, `{\n\tadmin off\n}\n\n${fileOf(format)}`)
    await serve(origin, 'caddy', ['run', '--config', file, '--adapter', 'caddyfile'])
    expect(await wrongLinks(origin)).toEqual([])
    expect(await statusOf(origin, '/qr/unknown')).toBe(404)
  })
})
