import http from 'node:http'
import https from 'node:https'

const CONNECTIONS_MAX = 10
const CONNECT_MS = 5_000

/** Keeps connections to a server. One that does not stand in time fails as if the network did. */
export function agentFor(url: string): http.Agent {
  const { Agent } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX })
  const open = agent.createConnection.bind(agent)
  agent.createConnection = (...asked) => {
    const socket = open(...asked)
    const late = Object.assign(new Error('no connection in time'), { code: 'TIMEOUT' })
    const timer = setTimeout(() => socket?.destroy(late), CONNECT_MS)
    for (const event of ['connect', 'close']) socket?.once(event, () => clearTimeout(timer))
    return socket
  }
  return agent
}
