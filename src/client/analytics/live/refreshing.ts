import { type News, together } from './news.ts'

export const REFRESH_EVERY_MS = 1_000
/** What cannot be read so often in a row waits for the next scan. */
const TRIES_MAX = 5

export type RefreshingDeps = {
  /** Reads again what the news touch; answers whether that worked. */
  read: (news: News) => Promise<boolean>
  /** Nothing is read for a page that nobody sees. */
  isSeen: () => boolean
}

/** Reads figures again when scans have come: one reading at a time, at most one a second. */
export class Refreshing {
  readonly #deps: RefreshingDeps
  #left: News | undefined
  #isReading = false
  #failures = 0
  #hasStopped = false

  constructor(deps: RefreshingDeps) {
    this.#deps = deps
  }

  add(news: News) {
    this.#left = together(this.#left, news)
    void this.go()
  }

  /** Call it also when the page is seen again, and when what failed may work now. */
  async go(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    while (this.#left !== undefined && this.#deps.isSeen() && !this.#hasStopped) {
      const news: News = this.#left
      this.#left = undefined
      const pause = new Promise((resolve) => setTimeout(resolve, REFRESH_EVERY_MS))
      const isRead = await this.#deps.read(news)
      this.#failures = isRead ? 0 : this.#failures + 1
      await pause
      if (isRead) continue
      if (this.#failures < TRIES_MAX) this.#left = together(this.#left, news)
      break
    }
    this.#isReading = false
  }

  stop() {
    this.#hasStopped = true
  }
}
