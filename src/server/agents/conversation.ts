import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import type { KeyScope } from '#contract/integrations/api-keys.ts'
import { AppError } from '../http/errors.ts'
import { bulkTools } from './tools/bulk-tools.ts'
import { codeTools } from './tools/code-tools.ts'
import { designTools } from './tools/design-tools.ts'
import { domainTools } from './tools/domain-tools.ts'
import { listTools } from './tools/listed-schema.ts'
import { pictureTools } from './tools/picture-tools.ts'
import { scanTools } from './tools/scan-tools.ts'
import { shareTools } from './tools/share-tools.ts'
import { tagTools } from './tools/tag-tools.ts'
import { refused, type Setting, type Tool } from './tools/tool.ts'

const tools: Tool[] = [
  ...codeTools,
  ...bulkTools,
  ...tagTools,
  ...pictureTools,
  ...designTools,
  ...scanTools,
  ...shareTools,
  ...domainTools,
]
/** The tools that a key or app of each scope sees. */
const listsByScope = {
  read: listTools(tools.filter(({ scope }) => scope === 'read')),
  write: listTools(tools),
}

/** @see errorTable.key_read_only, which knows of no apps */
const ONLY_READS =
  'This key or app can only read. To make changes, create a key that can read and write in the settings, or connect the app again and allow it to write.'

const INSTRUCTIONS =
  'Tessera makes dynamic QR codes: the printed code holds a short link, and where that link leads can be changed at any time. People print these codes on things they can’t print again, so ask before you delete a code or change its destination, and check that a new design scans before it’s printed. Times are UTC, ISO 8601.'

/** The SDK would make one for each request; we ask clients nothing that it could check. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

type Asking = Setting & {
  scope: KeyScope
  headers: Record<string, string>
  log: (error: unknown) => void
}

/**
 * The answer to one message of an agent: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports.
 * Nothing is kept between messages, so any process can answer each one.
 */
export async function answerMessage(message: unknown, asking: Asking): Promise<Response> {
  const server = serverFor(asking)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const request = new Request(`${asking.publicUrl}/api/mcp`, {
    method: 'POST',
    headers: asking.headers,
  })
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

function serverFor({ scope, log, ...setting }: Asking): Server {
  const server = new Server(
    { name: 'tessera', title: 'Tessera', version: '1' },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS, jsonSchemaValidator },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listsByScope[scope] }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ listed }) => listed.name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`)
    if (tool.scope === 'write' && scope === 'read') {
      return refused(new AppError('key_read_only', ONLY_READS))
    }
    try {
      return await tool.run(params.arguments ?? {}, setting)
    } catch (error) {
      log(error)
      throw new McpError(ErrorCode.InternalError, 'Something went wrong on our side.')
    }
  })
  return server
}
