import { type Findings, scanConditions } from './findings.ts'
import { reasons } from './reasons.ts'

export type Verdict = 'excellent' | 'good' | 'risky' | 'unreadable'

/** Contrast that graphics need for people to make them out (WCAG 2.2, 1.4.11). */
const WEAK_CONTRAST = 3
/** More than half of it may fade before 3 is reached; WCAG's enhanced contrast too (1.4.6). */
const STRONG_CONTRAST = 7
/** Between what short links withstand at level L (0.03 to 0.06) and at level M (0.06 to 0.12). */
const FAIR_DAMAGE = 0.06

type Reason = string | null

/** What the findings amount to, and the one sentence that says why and what to do. */
export function verdictOf(found: Findings): { verdict: Verdict; reason: string } {
  const failure = whyUnreadable(found)
  if (failure) return { verdict: 'unreadable', reason: failure }
  const risk = whyRisky(found)
  if (risk) return { verdict: 'risky', reason: risk }
  const shortcoming = whyNotExcellent(found)
  if (shortcoming) return { verdict: 'good', reason: shortcoming }
  return { verdict: 'excellent', reason: reasons.excellent }
}

function whyUnreadable({ reads, inverted, negativeReads, contrast }: Findings): Reason {
  if (reads.asIs.zxing || (inverted && negativeReads)) return null
  if (contrast === 1) return reasons.sameBrightness
  return contrast < WEAK_CONTRAST ? reasons.tooAlike : reasons.unreadable
}

/** Colours first: where they are weak, what fails in poor light fails because of them. */
function whyRisky({ reads, inverted, contrast }: Findings): Reason {
  if (inverted) return contrast < WEAK_CONTRAST ? reasons.invertedAndAlike : reasons.inverted
  if (contrast < WEAK_CONTRAST) return reasons.alike
  if (!reads.small.zxing) return reasons.lostWhenSmall
  if (!reads.blurred.zxing) return reasons.lostWhenBlurred
  return reads.lowLight.zxing ? null : reasons.lostInLowLight
}

function whyNotExcellent({ reads, contrast, damageMargin }: Findings): Reason {
  if (contrast < STRONG_CONTRAST) return reasons.fairContrast
  if (scanConditions.some((condition) => !reads[condition].jsqr)) return reasons.oneScanner
  return damageMargin < FAIR_DAMAGE ? reasons.littleDamage : null
}
