/** Codes that were scanned; null when some may have been missed, so that all are meant. */
export type News = readonly string[] | null

const PREFIX = '/api/analytics'
const OF_CODE = /^\/api\/analytics\/qr-code\/([^/?]+)/
const ASKED_CODE = /[?&]qr=([^&]+)/

/** Whether an answer, by the path it was read from, may have changed. */
export function isTouched(path: string, news: News): boolean {
  if (!path.startsWith(PREFIX)) return false
  const [, code] = OF_CODE.exec(path) ?? ASKED_CODE.exec(path) ?? []
  return news === null || code === undefined || news.includes(code)
}

export function together(one: News | undefined, other: News): News {
  if (one === undefined) return other
  return one === null || other === null ? null : [...new Set([...one, ...other])]
}
