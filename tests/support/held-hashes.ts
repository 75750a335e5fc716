import type { Derive } from '../../src/server/accounts/passwords/passwords.ts'
import { quickKey } from './enrolment.ts'

/** A password whose hash takes until the test lets it end. */
export const SLOW = 'a password that takes long'

/** Hashes that a test counts and holds. */
export class HeldHashes {
  /** The passwords whose hashing began, in this order. */
  readonly began: string[] = []
  readonly #free = Promise.withResolvers<void>()

  readonly derive: Derive = async (password, salt) => {
    this.began.push(password)
    if (password === SLOW) await this.#free.promise
    return quickKey(password, salt)
  }

  /** Lets all end that are held, now and later. */
  letGo() {
    this.#free.resolve()
  }
}
