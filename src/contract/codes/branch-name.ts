import { shownAddress } from '../shown-address.ts'
import type { Rule } from './code-rules.ts'

/** The branch of scans that the fallback got because the destination was dead */
export const FALLBACK = 'fallback'

/** A code whose rules have names for their branches */
export type Ruled = { rules: readonly Rule[] }

/** The branch of a scan for people, such as "Rule 2 · apple.com/app": the rule's place among its code's, and the destination. */
export function branchName(codes: readonly Ruled[], branch: string): string {
  if (branch === FALLBACK) return 'Fallback'
  for (const { rules } of codes) {
    for (const [index, { variants }] of rules.entries()) {
      const variant = variants.find(({ id }) => id === branch)
      if (variant) {
        return `Rule ${index + 1} · ${shownAddress(variant.url).replace(/^https?:\/\//, '')}`
      }
    }
  }
  return 'A former rule'
}
