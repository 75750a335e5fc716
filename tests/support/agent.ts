import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Program } from './program.ts'

/** An agent that works with the service by its tools, over a connection of its own. */
export class Agent {
  readonly client = new Client({ name: 'agent', version: '1' })

  static of({ tessera, key }: Program): Promise<Agent> {
    const headers = { authorization: `Bearer ${key}` }
    return Agent.#at(tessera, { requestInit: { headers } })
  }

  /** One that asks for access by itself. */
  static by(authProvider: OAuthClientProvider, server: { origin: string }): Promise<Agent> {
    return Agent.#at(server, { authProvider })
  }

  static async #at({ origin }: { origin: string }, options: StreamableHTTPClientTransportOptions) {
    const agent = new Agent()
    const transport = new StreamableHTTPClientTransport(new URL('/api/mcp', origin), options)
    // The SDK's own types disagree about optional fields that may be undefined.
    await agent.client.connect(transport as unknown as Parameters<Client['connect']>[0])
    // From now on the client checks each answer against the tool's output schema.
    await agent.client.listTools()
    return agent
  }

  /** The names of the tools that it sees. */
  async tools(): Promise<string[]> {
    const { tools } = await this.client.listTools()
    return tools.map(({ name }) => name)
  }

  async call(name: string, input: object = {}): Promise<CallToolResult> {
    const call = { name, arguments: input as Record<string, unknown> }
    return (await this.client.callTool(call)) as CallToolResult
  }

  /** Calls a tool and returns its answer's data; throws if it is refused. */
  async ask<Answer>(name: string, input: object = {}): Promise<Answer> {
    const result = await this.call(name, input)
    if (result.isError) throw new Error(`${name}: ${textOf(result)}`)
    return result.structuredContent as Answer
  }

  /** Why a tool was refused. */
  async refusal(name: string, input: object = {}): Promise<string> {
    const result = await this.call(name, input)
    return result.isError ? textOf(result) : ''
  }
}

const textOf = ({ content: [first] }: CallToolResult) => (first?.type === 'text' ? first.text : '')
