import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A load generator's result: answers a second, and the 99th percentile in milliseconds. */
export type Load = { perSecond: number; p99Ms: number }

export type LoadOptions = {
  origin: string
  paths: string[]
  seconds: number
  connections: number
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined

export const generator = hasWrk ? 'wrk' : 'autocannon'

/** Requests the paths in turn over kept-alive connections for some seconds. */
export function load(options: LoadOptions): Promise<Load> {
  return hasWrk ? withWrk(options) : withAutocannon(options)
}

const AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

const AGENT_HEADERS = { 'user-agent': AGENT, 'accept-language': 'de' }

/** Builds all requests before the measurement, so that the generator leaves the cores to the server. */
const WRK_SCRIPT = `
local requests, n, i = {}, 0, 0
function init(args)
  for line in io.lines(args[1]) do
    n = n + 1
    local headers = { ["User-Agent"] = "${AGENT}", ["Accept-Language"] = "de" }
    requests[n] = wrk.format("GET", line, headers)
  end
end
function request()
  i = i % n + 1
  return requests[i]
end
function done(summary, latency)
  io.write(string.format("RESULT %f %f %d\\n", summary.requests / (summary.duration / 1e6), latency:percentile(99) / 1000,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
`

async function withWrk({ origin, paths, seconds, connections }: LoadOptions): Promise<Load> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-load-'))
  const [script, list] = [join(folder, 'load.lua'), join(folder, 'paths')]
  writeFileSync(script, WRK_SCRIPT)
  writeFileSync(list, paths.join('\n'))
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, origin, '--', list]
  const output = await outputOf('wrk', args)
  const [, perSecond, p99Ms, errors] = /RESULT (\S+) (\S+) (\d+)/.exec(output) ?? []
  if (errors !== '0') throw new Error(`wrk met errors:\n${output}`)
  return { perSecond: Number(perSecond), p99Ms: Number(p99Ms) }
}

function outputOf(program: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += chunk
    })
    child.once('error', reject)
    child.once('close', () => resolve(output))
  })
}

async function withAutocannon(options: LoadOptions): Promise<Load> {
  const { default: autocannon } = await import('autocannon')
  const { requests, latency, errors, non2xx } = await autocannon({
    url: options.origin,
    connections: options.connections,
    duration: options.seconds,
    headers: AGENT_HEADERS,
    requests: options.paths.map((path) => ({ path })),
  })
  if (errors > 0 || non2xx < requests.total) throw new Error('autocannon met errors')
  return { perSecond: requests.average, p99Ms: latency.p99 }
}
