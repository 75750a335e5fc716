/**
 * Requests one address so many times a second, evenly spread even when answers are slow, and prints
 * the 99th percentile in milliseconds. It is a process of its own so that nothing else delays it.
 */
import { Agent, get } from 'node:http'
import { setPriority } from 'node:os'

const [address = '', perSecond = '', seconds = ''] = process.argv.slice(2)
const EXPECTED = 302
/** A late clock tick here would count as a slow answer there. */
const NICE = -5

try {
  setPriority(0, NICE)
} catch {
  // Only root may do this; without it the figures are a little worse.
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const total = Number(perSecond) * Number(seconds)
const times: number[] = []
const start = performance.now()
let sent = 0

function ask() {
  const asked = performance.now()
  get(address, { agent }, (response) => {
    if (response.statusCode !== EXPECTED) throw new Error(`answered ${response.statusCode}`)
    response.resume().once('end', () => answered(performance.now() - asked))
  })
}

function answered(ms: number) {
  times.push(ms)
  if (times.length < total) return
  times.sort((a, b) => a - b)
  console.log(times[Math.ceil(total * 0.99) - 1])
  agent.destroy()
}

const ticks = setInterval(() => {
  const due = Math.min(total, ((performance.now() - start) / 1000) * Number(perSecond))
  for (; sent < due; sent++) ask()
  if (sent >= total) clearInterval(ticks)
}, 1)
