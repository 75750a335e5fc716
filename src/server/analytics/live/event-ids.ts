import { randomBytes } from 'node:crypto'

/** How far clocks of two processes, and the news between them, may be apart. */
const OTHERS_MS = 10_000

const ID = /^([0-9a-z]{1,10})-([0-9a-f]{8})$/

/**
 * Ids of events: an instant that only grows, and whose it is. Behind a balancer a stream may go on at
 * another process, whose clock differs: there it begins some seconds earlier, and names codes twice
 * rather than not at all.
 */
export class EventIds {
  readonly nonce = randomBytes(4).toString('hex')
  #last = 0

  /** A new instant. */
  tick(): number {
    this.#last = Math.max(this.#last + 1, Date.now())
    return this.#last
  }

  of(at: number): string {
    return `${at.toString(36)}-${this.nonce}`
  }

  /** From which instant on a stream goes on after an event; undefined for what is no id of ours. */
  instantOf(id: string): number | undefined {
    const [, at = '', nonce] = ID.exec(id) ?? []
    if (!nonce) return undefined
    const instant = Number.parseInt(at, 36) - (nonce === this.nonce ? 0 : OTHERS_MS)
    return instant <= Math.max(this.#last, Date.now()) ? instant : undefined
  }
}
