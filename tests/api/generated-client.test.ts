import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, test } from 'vitest'
import { makeTypescriptClient } from '../../scripts/clients/typescript-client.ts'
import {
  CODE_TAGS_MAX,
  EXTERNAL_ID_MAX,
  NAME_MAX,
  TAG_NAME_MAX,
  URL_MAX,
  VANITY_MAX,
} from '../../src/contract/codes/code-values.ts'
import { AppError } from '../../src/server/http/errors.ts'
import { allCounted } from '../support/all-counted.ts'
import { decodePicture } from '../support/decode.ts'
import { newFolder } from '../support/folder.ts'
import { newPerson } from '../support/person.ts'
import { makeKey } from '../support/program.ts'
import { isSoak } from '../support/soak.ts'
import { tesseraForTest } from '../support/tessera.ts'
import { visit } from '../support/visitors.ts'

/** A program that has every example of the package's README in it, in their order. */
const program = (readme: string) =>
  [
    'declare const process: { env: Record<string, string> }, request: { headers: Headers }, body: never',
    ...[...readme.matchAll(/^```ts\n(.*?)^```/gms)].map(([, example]) => example),
  ].join('\n')

/** Checks the types of a program that uses the package, as its user would. */
async function checkTypes() {
  const folder = await newFolder()
  const packages = join(folder, 'node_modules')
  await mkdir(packages)
  await symlink(client, join(packages, 'tessera-client'))
  const options = { strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: [] }
  const lib = ['es2023', 'dom', 'dom.iterable']
  const settings = { compilerOptions: { ...options, lib }, include: ['program.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  const readme = await readFile(join(client, 'README.md'), 'utf8')
  await writeFile(join(folder, 'program.ts'), program(readme))
  await promisify(execFile)(resolve('node_modules/.bin/tsc'), ['-p', folder])
}

/** A server that is busy for as many calls as there are waits: it sends 503 with each as Retry-After. */
function busyServer() {
  const waits: string[] = []
  const send: typeof fetch = async (...call) => {
    const wait = waits.shift()
    if (wait === undefined) return fetch(...call)
    return Response.json(new AppError('busy').body, {
      status: 503,
      headers: { 'retry-after': wait },
    })
  }
  return { waits, send }
}

/** The package as `npm run clients` makes it, with the packages that it depends on */
let client: string
const load = (file: string) => import(/* @vite-ignore */ join(client, 'dist', file))

beforeAll(async () => {
  client = join(await newFolder(), 'client')
  await makeTypescriptClient('dist/openapi.json', client)
  await symlink(resolve('node_modules'), join(client, 'node_modules'))
})

if (isSoak) {
  test('the examples of its README have the right types', async () => {
    await expect(checkTypes()).resolves.toBeUndefined()
  })
}

test('the client makes a code, changes, draws, counts and deletes it', async () => {
  const tessera = await tesseraForTest()
  const { Tessera, TesseraError } = await load('index.js')
  const owner = await newPerson(tessera, 'unlimited')
  const { key } = await makeKey(owner)
  const { waits, send } = busyServer()
  const api = new Tessera({ origin: tessera.origin, key, fetch: send, longestWait: 5 })

  const look = { foregroundColor: '#1E40AF', artwork: { eyeBallColor: '#ABC', gradient: null } }
  const longest = {
    name: 'M'.repeat(NAME_MAX),
    url: `https://example.com/${'a'.repeat(URL_MAX - 'https://example.com/'.length)}`,
    vanityUrl: 'V'.repeat(VANITY_MAX),
    externalId: 'i'.repeat(EXTERNAL_ID_MAX),
    tags: Array.from({ length: CODE_TAGS_MAX }, (_, at) =>
      String.fromCharCode(65 + at).padEnd(TAG_NAME_MAX, '#'),
    ),
    artwork: null,
  }
  await api.makeQrCode({ body: longest })
  waits.push('0', new Date().toUTCString())
  const made = await api.makeQrCode({
    body: { name: 'Menu', url: 'https://example.com/menu', ...look },
  })
  expect(waits).toEqual([])
  const { items } = await api.listQrCodes({ query: { limit: 10 } })
  expect(items).toMatchObject([look, { ...longest, vanityUrl: 'v'.repeat(VANITY_MAX) }])
  const code = { path: { id: made.id } }
  const change = {
    ...code,
    headers: { 'If-Match': `"${made.version}"` },
    body: { url: 'https://example.com/summer' },
  }
  const changed = { name: 'Menu', url: 'https://example.com/summer', version: 2 }
  expect(await api.changeQrCode(change)).toMatchObject(changed)

  const picture: Blob = await api.drawQrCode({ ...code, query: { format: 'png' } })
  const link = await decodePicture(Buffer.from(await picture.arrayBuffer()))
  expect((await visit(link ?? '')).headers.location).toBe('https://example.com/summer')
  await allCounted(tessera)
  expect(await api.readQrCodeTotals(code)).toMatchObject({ totalScans: 1 })

  const conflict = await api.changeQrCode(change).catch((error: unknown) => error)
  expect(conflict).toBeInstanceOf(TesseraError)
  expect(conflict).toMatchObject({ status: 412, code: 'changed_elsewhere' })
  const unnamed = api.makeQrCode({ body: { name: '', url: 'https://example.com' } })
  await expect(unnamed).rejects.toMatchObject({ fields: { name: 'Name is required' } })
  waits.push('6')
  await expect(api.readAccountUse()).rejects.toMatchObject({ status: 503, code: 'busy' })

  await api.deleteQrCode(code)
  expect((await visit(link ?? '')).status).toBe(404)
})

test('the client checks who sent an event', async () => {
  const { webhookVerifier } = await load('webhooks.js')
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const body = JSON.stringify({ type: 'webhook.test', data: { message: 'Hello' } })
  const now = new Date()
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  }
  const verify = webhookVerifier(secret)
  expect(verify(Buffer.from(body), new Headers(headers))).toEqual(JSON.parse(body))
  expect(verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => verify(body.replace('Hello', 'Hullo'), headers)).toThrow('signature')
})
