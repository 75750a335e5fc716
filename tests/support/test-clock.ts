import type { Clock } from '../../src/server/clock.ts'

/** Runs with real time until a test sets or moves it. */
export class TestClock {
  #offset = 0
  readonly now: Clock = () => new Date(Date.now() + this.#offset)

  advance(milliseconds: number) {
    this.#offset += milliseconds
  }

  set(instant: string) {
    this.#offset = new Date(instant).getTime() - Date.now()
  }
}
