import type { Derive } from '../../src/server/accounts/passwords/passwords.ts'
import { quickKey } from './enrolment.ts'

/** A password whose hash takes until the test releases it. */
export const SLOW = 'a password that takes long'

/** Hashes that a test counts and holds. */
export class HeldHashes {
  /** The passwords whose hashing began, in this order. */
  readonly began: string[] = []
  readonly #held = new Map([[SLOW, Promise.withResolvers<void>()]])

  readonly derive: Derive = async (password, salt) => {
    this.began.push(password)
    await this.#held.get(password)?.promise
    return quickKey(password, salt)
  }

  /** Holds the hashes of a password from now on. */
  hold(password: string) {
    this.#held.set(password, Promise.withResolvers())
  }

  /** Releases all that are held, and holds none later. */
  release() {
    for (const { resolve } of this.#held.values()) resolve()
    this.#held.clear()
  }
}
