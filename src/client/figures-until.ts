import { FIGURES_UNTIL } from '#contract/analytics/figures-until.ts'
import { createStore } from './ui/store.ts'

/** The calls whose answers have the header */
const FIGURES = /^\/api\/(analytics|share)\//

const until = createStore<string | null>(null)

/** Notes up to when the last answer with figures has all scans. */
export function noteFigures(path: string, { headers }: Response): void {
  if (FIGURES.test(path)) until.set(headers.get(FIGURES_UNTIL))
}

/** Up to when the figures on this page have all scans, if they are late; else null. */
export const useFiguresUntil = until.use
