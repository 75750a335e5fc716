import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import type { CodeAnalytics } from '../../src/contract/analytics/analytics.ts'
import {
  CODE_TAGS_MAX,
  EXTERNAL_ID_MAX,
  NAME_MAX,
  TAG_NAME_MAX,
  URL_MAX,
  VANITY_MAX,
} from '../../src/contract/code-values.ts'
import type { QrCode } from '../../src/contract/codes.ts'
import { allCounted } from '../support/all-counted.ts'
import { decodePicture } from '../support/decode.ts'
import { newFolder } from '../support/folder.ts'
import { newPerson } from '../support/person.ts'
import { makeKey } from '../support/program.ts'
import { tesseraForTest } from '../support/tessera.ts'
import { withFormerTypescript } from '../support/typescript-for-generators.ts'
import { visit } from '../support/visitors.ts'

type Path = { path: { id: string } }
type Answer<Data> = Promise<{ data: Data; response: Response }>

/** The parts of the client that the test uses; its own types are generated when the test runs. */
type Client = {
  client: { setConfig: (config: { baseUrl: string; auth: string; throwOnError: true }) => void }
  makeQrCode: (call: { body: object }) => Answer<QrCode>
  listQrCodes: (call: { query: object }) => Answer<{ items: QrCode[] }>
  changeQrCode: (call: Path & { body: object; headers: object }) => Answer<QrCode>
  drawQrCode: (call: Path & { query: object }) => Answer<Blob>
  readQrCodeTotals: (call: Path) => Answer<CodeAnalytics>
  deleteQrCode: (call: Path) => Answer<unknown>
}

/** Checks the types of a folder of TypeScript, as its user would. */
async function checkTypes(folder: string) {
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    module: 'nodenext',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  await promisify(execFile)(resolve('node_modules/.bin/tsc'), ['-p', folder])
}

test('a generated client makes a code, changes, draws, counts and deletes it', async () => {
  const tessera = await tesseraForTest()
  const folder = await newFolder()
  await withFormerTypescript(async () => {
    const { createClient } = await import('@hey-api/openapi-ts')
    await createClient({
      input: `${tessera.origin}/api/openapi.json`,
      // Node imports files by their whole names.
      output: { path: folder, module: { extension: '.ts' } },
      // Every answer is checked against its schema.
      plugins: ['@hey-api/typescript', 'zod', { name: '@hey-api/sdk', validator: true }],
      logs: { level: 'silent' },
    })
  })
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  await checkTypes(folder)
  const at = (file: string) => import(/* @vite-ignore */ join(folder, file))
  const api: Client = { ...(await at('sdk.gen.ts')), ...(await at('client.gen.ts')) }
  const owner = await newPerson(tessera, 'unlimited')
  const { key } = await makeKey(owner)
  api.client.setConfig({ baseUrl: tessera.origin, auth: key, throwOnError: true })

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
  const made = await api.makeQrCode({
    body: { name: 'Menu', url: 'https://example.com/menu', ...look },
  })
  const { data } = await api.listQrCodes({ query: { limit: 10 } })
  expect(data.items).toMatchObject([look, { ...longest, vanityUrl: 'v'.repeat(VANITY_MAX) }])
  const code = { path: { id: made.data.id } }
  const changed = await api.changeQrCode({
    ...code,
    headers: { 'If-Match': made.response.headers.get('etag') },
    body: { url: 'https://example.com/summer' },
  })
  expect(changed.data).toMatchObject({
    name: 'Menu',
    url: 'https://example.com/summer',
    version: 2,
  })

  const picture = await api.drawQrCode({ ...code, query: { format: 'png' } })
  const link = await decodePicture(Buffer.from(await picture.data.arrayBuffer()))
  expect((await visit(link ?? '')).headers.location).toBe('https://example.com/summer')
  await allCounted(tessera)
  expect((await api.readQrCodeTotals(code)).data).toMatchObject({ totalScans: 1 })

  expect((await api.deleteQrCode(code)).response.status).toBe(204)
  expect((await visit(link ?? '')).status).toBe(404)
})
