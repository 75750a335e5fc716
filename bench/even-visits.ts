import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ended } from '../tests/support/process.ts'

/** Asks for one address again and again, with this status as the expected answer. */
export type EvenVisits = { url: string; perSecond: number; seconds: number; expected: number }

export type Answers = {
  /** In milliseconds, of those that were answered as expected and of those that were not answered. */
  times: number[]
  /** How many were answered otherwise, by status or the code of the socket's error. */
  others: Record<string, number>
  unanswered: number
}

/** Starts the process of even-load.ts, which sends one job at a time. */
export function evenLoad() {
  const child = fork(fileURLToPath(new URL('even-load.ts', import.meta.url)))
  return {
    async send(job: EvenVisits): Promise<Answers> {
      child.send(job)
      const [answers] = await once(child, 'message')
      return answers as Answers
    },
    end: () => ended(child, 'SIGKILL'),
  }
}
