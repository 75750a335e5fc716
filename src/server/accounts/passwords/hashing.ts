import { queues } from '../../http/limits/limits.ts'
import { counter, gauge, type Metric } from '../../http/metrics.ts'
import { FairQueue } from '../../http/queue/fair-queue.ts'
import { WorkThreads } from '../../threads/work-threads.ts'
import type { HashTask } from './hash-thread.ts'
import type { Derive } from './passwords.ts'

const THREADS = {
  thread: new URL('./hash-thread.ts', import.meta.url),
  taskMs: 20_000,
  idleMs: 30_000,
  /** Beside scrypt's own 16 MB, which are not JavaScript's. */
  memory: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
}

/**
 * Hashes passwords in threads of its own and of low priority. Node's own threads, in which its
 * asynchronous scrypt runs, also read the files that the site serves: a few sign-ins would hold up
 * everybody. Before the threads is a queue in which addresses take turns.
 */
export class Hashing {
  readonly #turns = new FairQueue(queues.hashing)
  readonly #threads = new WorkThreads<HashTask, Uint8Array>(THREADS)
  readonly #derive: Derive
  #hashed = 0

  /** @param derive where and at what cost passwords are hashed, if not as usual */
  constructor(derive?: Derive) {
    this.#derive = derive ?? ((password, salt) => this.#threads.perform({ password, salt }))
  }

  /** The key of a password. Call it within a turn. @throws ThreadLost where the thread is lost */
  readonly derive: Derive = (password, salt) => {
    this.#hashed++
    return this.#derive(password, salt)
  }

  /** Waits until this address may hash; the caller ends its turn. @throws as FairQueue.begin does */
  turnOf(address: string, signal: AbortSignal): Promise<() => void> {
    return this.#turns.begin(address, signal)
  }

  /** For GET /metrics. */
  metrics(): Metric[] {
    return [
      counter('hashing_total', 'Passwords that were hashed', this.#hashed),
      ...this.#turns.metrics('hashing', 'Sign-ins and sign-ups'),
      gauge(
        'hashing_threads',
        'Threads that hash passwords, at work or resting',
        this.#threads.count,
      ),
    ]
  }

  /** Ends the threads. A hash that is under way fails. */
  async stop(): Promise<void> {
    await this.#threads.end()
  }
}
