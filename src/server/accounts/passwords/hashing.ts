import type { FastifyRequest } from 'fastify'
import { queues } from '../../http/limits/limits.ts'
import { counter, gauge, type Metric } from '../../http/metrics.ts'
import { type Caller, clientAddress } from '../../http/policy/client-address.ts'
import { FairQueue, type QueueBounds } from '../../http/queue/fair-queue.ts'
import { hangUpSignal, leaveSiteQueue } from '../../http/queue/request-queue.ts'
import { WorkThreads } from '../../work-threads.ts'
import type { HashTask } from './hash-thread.ts'
import { type Derive, hashPassword, verifyPassword } from './passwords.ts'

const THREADS = {
  thread: new URL('./hash-thread.ts', import.meta.url),
  taskMs: 20_000,
  idleMs: 30_000,
  /** Besides scrypt's own 16 MB, which are outside JavaScript's heap. */
  memory: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
}

type Asker = Caller & Pick<FastifyRequest, 'raw'>

/**
 * Hashes passwords in threads of its own with a low priority. Node's own threads, in which its
 * asynchronous scrypt runs, also read the files that the site serves: a few sign-ins would delay all
 * users. A queue before the threads serves addresses in turn.
 */
export class Hashing {
  readonly turns: FairQueue
  readonly #threads = new WorkThreads<HashTask, Uint8Array>(THREADS)
  readonly #derive: Derive
  #hashed = 0

  /** @param derive where and at what cost passwords are hashed, if not as usual */
  constructor(derive?: Derive, bounds: QueueBounds = queues.hashing) {
    this.turns = new FairQueue(bounds)
    this.#derive = derive ?? ((password, salt) => this.#threads.perform({ password, salt }))
  }

  /** Hashes in the same threads, in a queue of its own, which delays this one by nothing. */
  beside = (bounds: QueueBounds) => new Hashing(this.derive, bounds)

  /**
   * The hash of a new password, when its request's turn comes: everything that can be refused without
   * one comes before. @throws as FairQueue.begin does; ThreadLost if the thread is lost
   */
  hash(request: Asker, password: string): Promise<string> {
    return this.#inTurn(request, () => hashPassword(password, this.derive))
  }

  /** Whether a password has this hash. @throws as `hash` */
  verify(request: Asker, given: { hash: string; password: string }): Promise<boolean> {
    return this.#inTurn(request, () => verifyPassword(given, this.derive))
  }

  /** The key of a password. */
  readonly derive: Derive = (password, salt) => {
    this.#hashed++
    return this.#derive(password, salt)
  }

  async #inTurn<T>(request: Asker, work: () => Promise<T>): Promise<T> {
    leaveSiteQueue(request)
    const endTurn = await this.turns.begin(clientAddress(request), hangUpSignal(request))
    return work().finally(endTurn)
  }

  /** For GET /metrics. */
  metrics(): Metric[] {
    return [
      counter('hashing_total', 'Passwords that were hashed', this.#hashed),
      ...this.turns.metrics('hashing', 'Sign-ins and sign-ups'),
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
