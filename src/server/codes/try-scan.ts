import { randomBytes } from 'node:crypto'
import type { ImaginedAnswer, ImaginedScan } from '#contract/codes/code-rules.ts'
import type { CodeRow } from './codes-store.ts'
import { targetOf } from './resolve-paths.ts'
import { withIds } from './rules.ts'
import type { Decide, ScanReading } from './types.ts'

/** Decides what an imagined scan of a code would get, as the redirect does. */
export function tryScan(
  decide: Decide,
  row: CodeRow,
  { language, query, scan, at, rules, ...known }: ImaginedScan,
  now: Date,
): ImaginedAnswer {
  // By someone who knows the password.
  const saved = { ...targetOf({ ...row, key: row.short_code }), passwordHash: null }
  const target = rules ? { ...saved, rules: withIds(rules, saved.rules) } : saved
  const isOver = row.scan_limit !== null && scan > row.scan_limit
  const visitor = {
    reading: readingOf({
      country: known.country ?? null,
      region: known.region ?? null,
      device: known.device ?? null,
      os: known.system ?? null,
    }),
    languages: language,
    ordinal: isOver ? ('over' as const) : scan,
  }
  const asked = { key: target.key, isPreview: false, query }
  const decision = decide(target, asked, visitor, at ? Date.parse(at) : now.getTime())
  const gets = decision.kind === 'url' ? 'destination' : (decision.kind as ImaginedAnswer['gets'])
  const ruleOf = ({ variants }: (typeof target.rules)[number]) =>
    variants.some(({ id }) => id === decision.branch)
  const rule = decision.branch ? target.rules.findIndex(ruleOf) + 1 : 0
  return { gets, url: decision.url ?? null, rule: rule || null }
}

const UNKNOWN = { class: 'person', country: null, region: null, device: null, os: null } as const

/** A person of whom only this is known, by default some visitor: several tries see each variant of a rule. */
export const readingOf = (
  known: Partial<ScanReading['attributes']>,
  visitor: Uint32Array | null = new Uint32Array(Uint8Array.from(randomBytes(16)).buffer),
): ScanReading => ({ attributes: { ...UNKNOWN, ...known }, visitor })
