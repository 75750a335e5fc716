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
import { codeTools } from './tools/code-tools.ts'
import { domainTools } from './tools/domain-tools.ts'
import { pictureTools } from './tools/picture-tools.ts'
import { scanTools } from './tools/scan-tools.ts'
import type { Setting, Tool } from './tools/tool.ts'

const tools: Tool[] = [...codeTools, ...pictureTools, ...scanTools, ...domainTools]

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
  const seen = tools.filter((tool) => scope === 'write' || tool.scope === 'read')
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: seen.map(({ listed }) => listed),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = seen.find(({ listed }) => listed.name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}`)
    try {
      return await tool.run(params.arguments ?? {}, setting)
    } catch (error) {
      log(error)
      throw new McpError(ErrorCode.InternalError, 'Something went wrong on our side.')
    }
  })
  return server
}
