/**
 * Scans by many connections, for the bench `scale`. It is a process of its own, so that nothing else
 * delays it. A connection asks again as soon as it has its answer, and connects again if it breaks.
 */
import { connect } from 'node:net'
import { IPHONE } from '../../tests/support/visitors.ts'
import { quantile } from '../figures.ts'

/** A scan with a name of its own has the User-Agent `agent` and a number. */
export type ScanJob = {
  ports: number[]
  paths: string[]
  connections: number
  seconds: number
  agent: string
}

export type ScansSent = {
  sent: number
  answered: number
  /** Milliseconds */
  p99: number
  /** The User-Agents of named scans that were answered. */
  answeredNames: string[]
  others: number
}

/** One of this number of scans has a name of its own: a new User-Agent costs the server more. */
const NAMED_EVERY = 20
const RECONNECT_MS = 20
const END = '\r\n\r\n'

let names = 0

process.on('message', async (job: ScanJob) => process.send?.(await scans(job)))

async function scans({ ports, paths, connections, seconds, agent }: ScanJob): Promise<ScansSent> {
  const seen: ScansSent = { sent: 0, answered: 0, p99: 0, answeredNames: [], others: 0 }
  const times: number[] = []
  let isOver = false

  /** One connection; resolves when its last answer is there, or when it is broken and all is over. */
  function walk(port: number): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1').setNoDelay().setEncoding('latin1')
      let [text, name, asked] = ['', '', 0]
      const ask = () => {
        if (isOver) return socket.end()
        name = seen.sent % NAMED_EVERY === 0 ? `${agent}${++names}` : ''
        const path = paths[seen.sent++ % paths.length]
        asked = performance.now()
        socket.write(
          `GET ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: ${name || IPHONE}\r\nAccept-Language: de${END}`,
        )
      }
      socket.on('connect', ask)
      socket.on('data', (part) => {
        text += part
        if (!text.endsWith(END)) return
        if (text.startsWith('HTTP/1.1 302')) {
          seen.answered++
          times.push(performance.now() - asked)
          if (name) seen.answeredNames.push(name)
        } else seen.others++
        text = ''
        ask()
      })
      socket.on('error', () => {})
      socket.once('close', () => {
        if (isOver) resolve()
        else setTimeout(() => resolve(walk(port)), RECONNECT_MS)
      })
    })
  }

  const walkers = ports.flatMap((port) => Array.from({ length: connections }, () => walk(port)))
  setTimeout(() => {
    isOver = true
  }, seconds * 1000)
  await Promise.all(walkers)
  seen.p99 = quantile(times, 0.99)
  return seen
}
