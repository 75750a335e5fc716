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

/** The result of a code's scan check. */
export interface Legibility {
  readonly verdict: Verdict
  /** Why, and what to do if anything, in one or two plain sentences */
  readonly reason: string
  /** Between the two colors, 1 to 21 (WCAG 2.2, contrast ratio) */
  readonly contrast: number
  /** The foreground is the lighter color */
  readonly inverted: boolean
  readonly reads: Reads
  /** Share of the symbol, 0 to 1, that can be covered before it stops being read; beside a logo, what is more than the logo */
  readonly damageMargin: number
}

/** The ink that differs least from its ground: the foreground, the gradient's second color or the eyes. */
export type WeakInk = 'foreground' | 'gradient' | 'eyes'

/** A part of a look that a code was read without, and not with. */
export type Blamed = 'modules' | 'eyes' | 'logo'

/** The measurements of the scan check, before the verdict. */
export interface Findings extends Omit<Legibility, 'verdict' | 'reason'> {
  /** ZXing reads what is delivered once it may try the negative too, as many phones do */
  readonly negativeReads: boolean
  /** Which of the files ZXing reads without trying the negative */
  readonly files: Readonly<Record<'png' | 'jpg', boolean>>
  readonly weakInk: WeakInk
  /** Relative luminance of what is behind the code, 0 to 1 */
  readonly ground: number
  /** The part that takes the first reading away: see `lossOf` */
  readonly blamed: Blamed | null
  readonly hasLogo: boolean
  /** It has no background of its own, and was checked on white */
  readonly transparent: boolean
}

/** The reason of a verdict and what to do about it: a sentence each, in plain words. */
export const reasons = {
  sameBrightness:
    'The two colors are equally bright, so most scanners can’t see the code. Choose a dark foreground on a light background.',
  unseenOnWhite:
    'Most scanners can’t see this code on white paper. Choose a darker foreground, or give the code a background.',
  gradientUnseen:
    'Most scanners can’t see the light end of the gradient. Choose a darker second color.',
  eyesUnseen: 'Most scanners can’t see the eyes of this code. Choose a darker color for them.',
  tooAlike:
    'The two colors are too close in brightness for most scanners. Choose a darker foreground or a lighter background.',
  unreadable:
    'Most scanners can’t read this code. Choose black on white, the Classic style, and a shorter link.',
  invertedAndAlike:
    'The code is lighter than its background and barely stands out, so few scanners can read it. Choose a dark foreground on a light background.',
  inverted:
    'The code is lighter than its background, which some scanners can’t read. To be safe, swap the two colors.',
  invertedGradient:
    'The second color of the gradient is lighter than the background, which some scanners can’t read. Choose a darker one.',
  invertedEyes:
    'The eyes are lighter than the background, which some scanners can’t read. Choose a darker color for them.',
  alike:
    'The two colors are so close in brightness that many scanners miss the code. Choose a darker foreground or a lighter background.',
  alikeOnWhite:
    'The code is so light that many scanners miss it on white paper. Choose a darker foreground.',
  alikeGradient:
    'The second color of the gradient is so close to the background that many scanners miss the code. Choose a darker one.',
  alikeEyes:
    'The eyes are so close in brightness to the background that many scanners miss the code. Choose a darker color for them.',
  jpgMissed:
    'Scanners read this code on white paper, but not its JPG, which has the background color. Choose a lighter background.',
  someMissed:
    'Scanners read this code in some files and miss it in others. Choose a darker foreground or a lighter background.',
  modulesLost:
    'Some scanners miss this code because of the shape of its modules. Choose square or rounded modules.',
  eyesLost:
    'Some scanners miss this code because of the shape of its eyes. Choose square eyes, or the same shape for eye frames and eye centers.',
  logoLost: 'Some scanners miss this code because of its logo. Make the logo smaller.',
  lostWhenSmall: 'Scanners miss this code when it’s small or far away. Print it larger.',
  lostWhenBlurred: 'Scanners miss this code when it’s slightly out of focus. Print it larger.',
  lostInLowLight:
    'Scanners miss this code in poor light. Choose a darker foreground or a lighter background.',
  missedByOne:
    'One of our two test scanners can’t read this code. Choose stronger colors or simpler shapes.',
  dimGround:
    'This code scans well in good light, but its background is rather dark. For poor light, choose a lighter background.',
  fairContrast:
    'This code scans well. A darker foreground or a lighter background would help in poor light.',
  fairOnWhite: 'This code scans well on white. A darker foreground would help in poor light.',
  fairGradient:
    'This code scans well. A darker second color for the gradient would help in poor light.',
  fairEyes: 'This code scans well. Darker eyes would help in poor light.',
  oneScanner:
    'This code scans well, but one of our two test scanners sometimes missed it. To be safe, print it larger.',
  littleBesideLogo:
    'This code scans well, but with this logo it can’t take much dirt or damage. Choose a smaller logo or a higher error correction.',
  littleDamage:
    'This code scans well, but it can’t take much dirt or damage. If it has to last, choose a higher error correction.',
  excellentOnWhite:
    'Both of our test scanners read this code on white, even when it’s small, out of focus, or in poor light. Keep what’s behind it light.',
  excellent:
    'Both of our test scanners read this code, even when it’s small, out of focus, or in poor light.',
} as const

/** Contrast that graphics need for people to make them out (WCAG 2.2, 1.4.11). */
export const WEAK_CONTRAST = 3
/** More than half of it can fade before it falls to 3; also WCAG's enhanced contrast (1.4.6). */
const STRONG_CONTRAST = 7
/**
 * Luminance of a ground that is bright enough for dusk: black on it is read by both decoders with a
 * third of the light of our low light. On darker grounds it is lost before.
 */
const BRIGHT_GROUND = 0.6
/** Between the damage margins of short links at level L (0.03 to 0.06) and at level M (0.06 to 0.12). */
const FAIR_DAMAGE = 0.06

type Reason = string | null

/** The verdict on the findings, with its reason. */
export function verdictOf(found: Findings): { verdict: Verdict; reason: string } {
  const failure = whyUnreadable(found)
  if (failure) return { verdict: 'unreadable', reason: failure }
  const risk = whyRisky(found)
  if (risk) return { verdict: 'risky', reason: risk }
  const shortcoming = whyNotExcellent(found)
  if (shortcoming) return { verdict: 'good', reason: shortcoming }
  const { excellent, excellentOnWhite } = reasons
  return { verdict: 'excellent', reason: found.transparent ? excellentOnWhite : excellent }
}

/** The first reading that fails and makes a look risky, if its colors are not to blame; or null. */
export function lossOf({
  reads,
  inverted,
  contrast,
}: Pick<Findings, 'reads' | 'inverted' | 'contrast'>): Loss | null {
  if (inverted || contrast < WEAK_CONTRAST) return null
  const lost = scanConditions.find((condition) => !reads[condition].zxing)
  if (lost) return { condition: lost, decoder: 'zxing' }
  return reads.asIs.jsqr ? null : { condition: 'asIs', decoder: 'jsqr' }
}

export interface Loss {
  readonly condition: ScanCondition
  readonly decoder: DecoderName
}

/** A code is unreadable only if our decoders read it in no condition. */
function whyUnreadable({ reads, files, inverted, negativeReads, ...found }: Findings): Reason {
  const isRead = scanConditions.some((each) => reads[each].zxing || reads[each].jsqr)
  if (isRead || files.png || files.jpg || (inverted && negativeReads)) return null
  const { contrast, weakInk, transparent } = found
  if (contrast >= WEAK_CONTRAST) return reasons.unreadable
  if (weakInk === 'gradient') return reasons.gradientUnseen
  if (weakInk === 'eyes') return reasons.eyesUnseen
  if (transparent) return reasons.unseenOnWhite
  return contrast === 1 ? reasons.sameBrightness : reasons.tooAlike
}

/** Colors first: weak colors are also why a code fails in poor light. */
function whyRisky(found: Findings): Reason {
  const { reads, files, inverted, contrast, weakInk, transparent, blamed } = found
  if (inverted) return whyInverted(found)
  if (contrast < WEAK_CONTRAST) {
    if (weakInk === 'gradient') return reasons.alikeGradient
    if (weakInk === 'eyes') return reasons.alikeEyes
    return transparent ? reasons.alikeOnWhite : reasons.alike
  }
  const loss = lossOf(found)
  if (loss === null) return null
  if (transparent && files.png && !files.jpg) return reasons.jpgMissed
  if (blamed) return blame[blamed]
  if (!reads.asIs.zxing) return reasons.someMissed
  return loss.decoder === 'jsqr' ? reasons.missedByOne : lost[loss.condition]
}

const blame: Record<Blamed, string> = {
  modules: reasons.modulesLost,
  eyes: reasons.eyesLost,
  logo: reasons.logoLost,
}

const lost: Record<ScanCondition, string> = {
  asIs: reasons.someMissed,
  small: reasons.lostWhenSmall,
  blurred: reasons.lostWhenBlurred,
  lowLight: reasons.lostInLowLight,
}

function whyInverted({ weakInk, contrast }: Findings): Reason {
  if (weakInk === 'gradient') return reasons.invertedGradient
  if (weakInk === 'eyes') return reasons.invertedEyes
  return contrast < WEAK_CONTRAST ? reasons.invertedAndAlike : reasons.inverted
}

function whyNotExcellent({ reads, contrast, weakInk, ground, ...found }: Findings): Reason {
  if (ground < BRIGHT_GROUND) return reasons.dimGround
  if (contrast < STRONG_CONTRAST) {
    if (weakInk === 'gradient') return reasons.fairGradient
    if (weakInk === 'eyes') return reasons.fairEyes
    return found.transparent ? reasons.fairOnWhite : reasons.fairContrast
  }
  if (scanConditions.some((condition) => !reads[condition].jsqr)) return reasons.oneScanner
  if (found.damageMargin >= FAIR_DAMAGE) return null
  return found.hasLogo ? reasons.littleBesideLogo : reasons.littleDamage
}
