import type { Page, Route } from '@playwright/test'

/** Keeps back what the server answers, until a test lets it through, address by address. */
export class HeldAnswers {
  readonly #waiting: Route[] = []
  readonly #released: RegExp[] = []

  /** From now on nothing that matches is answered. */
  static async hold(page: Page, addresses: RegExp): Promise<HeldAnswers> {
    const held = new HeldAnswers()
    await page.route(addresses, (route) => held.#pass(route))
    return held
  }

  async #pass(route: Route): Promise<void> {
    if (this.#released.some((part) => part.test(route.request().url()))) await route.continue()
    else this.#waiting.push(route)
  }

  /** Lets through what matches, now and later; over when what was waiting has arrived. */
  async release(addresses: RegExp): Promise<void> {
    this.#released.push(addresses)
    const matching = this.#waiting.filter((route) => addresses.test(route.request().url()))
    for (const route of matching) this.#waiting.splice(this.#waiting.indexOf(route), 1)
    await Promise.all(matching.map(arrived))
  }
}

async function arrived(route: Route): Promise<void> {
  await route.continue()
  await (await route.request().response())?.finished()
}
