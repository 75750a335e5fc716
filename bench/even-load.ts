/**
 * Sends a number of requests a second, evenly spread even when answers are slow. It is a process of
 * its own so that nothing else delays it; even-visits.ts starts it with the requests to send.
 */
import { Agent, get } from 'node:http'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answers, EvenVisits } from './even-visits.ts'

/** A late clock tick here would count as a slow answer there. */
const NICE = -5
const SOCKETS_MAX = 64
/** How long we wait for an answer after the last request. */
const PATIENCE_MS = 10_000

try {
  setPriority(0, NICE)
} catch {
  // Only root may do this; without it the figures are a little worse.
}

process.on('message', async (job: EvenVisits) => process.send?.(await answersTo(job)))

async function answersTo({ url, perSecond, seconds, expected }: EvenVisits): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })
  const total = Math.ceil(perSecond * seconds)
  const waiting = new Set<{ asked: number }>()
  const seen: Answers = { times: [], others: {}, unanswered: 0 }
  const start = performance.now()

  async function ask() {
    const question = { asked: performance.now() }
    waiting.add(question)
    const status = await statusOf(url, agent).catch((error: NodeJS.ErrnoException) => error.code)
    if (!waiting.delete(question)) return
    if (status === expected) seen.times.push(performance.now() - question.asked)
    else seen.others[`${status}`] = (seen.others[`${status}`] ?? 0) + 1
  }

  let sent = 0
  while (sent < total) {
    const due = Math.min(total, ((performance.now() - start) / 1000) * perSecond)
    for (; sent < due; sent++) void ask()
    await sleep(1)
  }
  const limit = performance.now() + PATIENCE_MS
  while (waiting.size > 0 && performance.now() < limit) await sleep(1)
  // They took at least this time.
  for (const { asked } of waiting) seen.times.push(performance.now() - asked)
  seen.unanswered = waiting.size
  waiting.clear()
  agent.destroy()
  return seen
}

function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
      response.once('error', reject)
    }).once('error', reject)
  })
}
