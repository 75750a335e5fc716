/**
 * The page of the API's reference: its program is a file of ours, which the browser keeps. The plugin
 * that brings it along would hold 5 MB of text in the server's memory, so only the build asks it.
 */
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import reference from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import { fillMarks } from './client-pages.ts'

const URL = '/api/openapi.json'

/** The reference asks no other server, and shows only our API. */
const configuration = {
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'direct',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}

/** Puts the reference's program into a built client, and its page's mark. */
export async function buildReference(clientDir: string): Promise<void> {
  const program = await referenceProgram()
  const hash = createHash('sha256').update(program).digest('base64url').slice(0, 8)
  const file = `assets/reference-${hash}.js`
  await writeFile(join(clientDir, file), program)
  const page = join(clientDir, 'docs.html')
  const settings = JSON.stringify(configuration).replaceAll('"', '&quot;')
  const scripts = [
    `<script id="api-reference" type="application/json" data-url="${URL}" data-configuration="${settings}"></script>`,
    `<script src="/${file}" defer></script>`,
  ]
  await writeFile(page, fillMarks(await readFile(page, 'utf8'), { reference: scripts.join('') }))
}

async function referenceProgram(): Promise<string> {
  const app = fastify()
  await app.register(reference, { routePrefix: '/reference', configuration: { url: URL } })
  const { body } = await app.inject('/reference/js/scalar.js')
  await app.close()
  // The map of its sources is not there.
  return body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')
}
