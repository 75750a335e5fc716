import { type News, together } from './news.ts'

const KEPT = 100

/** What a stream has told, for tabs that were opened beside it. Instants are epoch milliseconds. */
export class LeaderLog {
  #told: { at: number; news: News }[] = []
  #since: number

  /** @param since from then on everything is in it */
  constructor(since: number) {
    this.#since = since
  }

  note(news: News, at: number) {
    this.#told.push({ at, news })
    const dropped = this.#told.length > KEPT ? this.#told.shift() : undefined
    if (dropped) this.#since = dropped.at
  }

  /** All that was told after an instant, or null for what is not known; undefined for nothing. */
  after(instant: number): News | undefined {
    if (instant < this.#since) return null
    let all: News | undefined
    for (const { at, news } of this.#told) if (at > instant) all = together(all, news)
    return all
  }
}
