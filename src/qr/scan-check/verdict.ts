/** From best to worst. An inverted code (light on dark) is never better than risky. */
export const verdicts = ['excellent', 'good', 'risky', 'unreadable'] as const
export type Verdict = (typeof verdicts)[number]

/**
 * How a picture is shown to the decoders: as delivered, at 2 pixels a module, out of focus, and with
 * little light.
 */
export const scanConditions = ['asIs', 'small', 'blurred', 'lowLight'] as const
export type ScanCondition = (typeof scanConditions)[number]

export const decoderNames = ['zxing', 'jsqr'] as const
export type DecoderName = (typeof decoderNames)[number]

/** Which decoder reads the code in which condition, without trying the picture's negative. */
export type Reads = Record<ScanCondition, Record<DecoderName, boolean>>

/** What the scan check says of a code. */
export interface Legibility {
  readonly verdict: Verdict
  /** One plain sentence: why, and what to do where something should be done */
  readonly reason: string
  /** Between the two colours, 1 to 21 (WCAG 2.2, contrast ratio) */
  readonly contrast: number
  /** The foreground is the lighter colour */
  readonly inverted: boolean
  readonly reads: Reads
  /** Share of the symbol, 0 to 1, that can be covered before it stops being read */
  readonly damageMargin: number
}

/** What the scan check measures before it judges. */
export interface Findings extends Omit<Legibility, 'verdict' | 'reason'> {
  /** ZXing reads what is delivered once it may try the negative too, as many phones do */
  readonly negativeReads: boolean
}

/** The reason of a verdict and what to do about it: a sentence each, for somebody who prints menus. */
export const reasons = {
  sameBrightness:
    'The two colours are equally bright, so there is nothing to scan: choose a dark foreground on a light background.',
  tooAlike:
    'The two colours are too alike in brightness for scanners to see the code: choose a darker foreground or a lighter background.',
  unreadable:
    'Scanners cannot read this code: choose black on white, the classic style and a shorter link.',
  invertedAndAlike:
    'The code is lighter than its background and hardly stands out from it, so few scanner apps read it: choose a dark foreground on a light background.',
  inverted:
    'The code is lighter than its background, which some scanner apps cannot read: swap the two colours to be safe.',
  alike:
    'The two colours are so alike in brightness that many scanners miss the code: choose a darker foreground or a lighter background.',
  lostWhenSmall: 'Scanners lose this code when it is small or far away: print it larger.',
  lostWhenBlurred:
    'Scanners lose this code as soon as it is a little out of focus: print it larger.',
  lostInLowLight:
    'Scanners lose this code in poor light: choose a darker foreground or a lighter background.',
  fairContrast:
    'This code scans well, and a darker foreground or a lighter background would help it in poor light.',
  oneScanner:
    'This code scans well, but one of our two test scanners did not read it every time: print it larger to be safe.',
  littleDamage:
    'This code scans well, but little of it may get dirty or covered: choose a higher error correction if it has to last.',
  excellent:
    'Both of our test scanners read this code, even small, out of focus and in poor light.',
} as const

/** Contrast that graphics need for people to make them out (WCAG 2.2, 1.4.11). */
const WEAK_CONTRAST = 3
/** More than half of it can fade before it falls to 3; also WCAG's enhanced contrast (1.4.6). */
const STRONG_CONTRAST = 7
/** Between the damage margins of short links at level L (0.03 to 0.06) and at level M (0.06 to 0.12). */
const FAIR_DAMAGE = 0.06

type Reason = string | null

/** The verdict on the findings, and the one sentence that says why and what to do. */
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

/** Colours first: weak colours are also why a code fails in poor light. */
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
