import type { Ranking } from '#contract/analytics/figures.ts'
import type { QrCode } from '#contract/codes.ts'
import { formatCount } from '../../formats.ts'

/** Which codes have a page of their own behind the summary of all. */
export type CodePages = 'none' | 'scanned' | 'all'

type Listed = Record<CodePages, readonly QrCode[]>

/** The codes of each choice, those with the most scans first. */
export function listedCodes(codes: readonly QrCode[], ranking: Ranking): Listed {
  const byId = new Map(codes.map((code) => [code.id, code]))
  const scanned = ranking.codes.flatMap(({ id }) => byId.get(id) ?? [])
  const isScanned = new Set(scanned)
  return {
    none: [],
    scanned,
    all: [...scanned, ...codes.filter((code) => !isScanned.has(code))],
  }
}

/** The choices that differ. */
export function pageChoices({ scanned, all }: Listed) {
  const [some, every] = [scanned.length, all.length]
  return [
    { value: 'none' as const, label: 'Summary' },
    ...(some > 0
      ? [{ value: 'scanned' as const, label: `Codes with scans (${formatCount(some)})` }]
      : []),
    ...(every > some
      ? [{ value: 'all' as const, label: `All codes (${formatCount(every)})` }]
      : []),
  ]
}
