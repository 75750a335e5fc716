/** Codes that were scanned; null when some may have been missed, so that all are meant. */
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
