/** Codes that were scanned, or null for all of them, if some may have been missed. */
export type News = readonly string[] | null

const PREFIX = '/api/analytics'
const OF_CODE = /^\/api\/analytics\/qr-code\/([^/?]+)/
const ASKED_CODE = /[?&]qr=([^&]+)/

/**
 * Whether an answer, by the path it was read from, may have changed.
 * @param leaving codes that are being deleted: there is nothing to read of them any more
 */
export function isTouched(path: string, news: News, leaving?: ReadonlySet<string>): boolean {
  if (!path.startsWith(PREFIX)) return false
  const [, code] = OF_CODE.exec(path) ?? ASKED_CODE.exec(path) ?? []
  if (code !== undefined && leaving?.has(code)) return false
  return news === null || code === undefined || news.includes(code)
}

export function together(one: News | undefined, other: News): News {
  if (one === undefined) return other
  return one === null || other === null ? null : [...new Set([...one, ...other])]
}

export const REFRESH_EVERY_MS = 1_000
/** Failures in a row after which the figures wait for the next scan. */
const TRIES_MAX = 5

export type RefreshingDeps = {
  /** Reads again what the news touch. Returns false on a failure. */
  read: (news: News) => Promise<boolean>
  /** Whether the page is visible: a hidden one reads nothing. */
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

  /** Call it also when the page is visible again, and when a failed reading may work now. */
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
