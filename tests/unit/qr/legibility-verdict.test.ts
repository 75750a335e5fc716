import { expect, test } from 'vitest'
import {
  type DecoderName,
  type Findings,
  reasons,
  type ScanCondition,
  type Verdict,
  verdictOf,
} from '#qr/scan-check/verdict.ts'

const read = { zxing: true, jsqr: true }
const blackOnWhite: Findings = {
  contrast: 21,
  inverted: false,
  reads: { asIs: read, small: read, blurred: read, lowLight: read },
  negativeReads: false,
  damageMargin: 0.08,
}

/** Black on white, but for what a decoder did not read. */
function unread(decoder: DecoderName, ...conditions: ScanCondition[]): Findings {
  const reads = { ...blackOnWhite.reads }
  for (const condition of conditions) reads[condition] = { ...reads[condition], [decoder]: false }
  return { ...blackOnWhite, reads }
}

const unseen = unread('zxing', 'asIs', 'small', 'blurred', 'lowLight')
const negative = { ...unseen, inverted: true, negativeReads: true }

const cases: [what: string, found: Findings, verdict: Verdict, reason: keyof typeof reasons][] = [
  ['read by all', blackOnWhite, 'excellent', 'excellent'],
  ['read by all at contrast 7', { ...blackOnWhite, contrast: 7 }, 'excellent', 'excellent'],
  ['just below contrast 7', { ...blackOnWhite, contrast: 6.99 }, 'good', 'fairContrast'],
  ['missed by jsQR when small', unread('jsqr', 'small'), 'good', 'oneScanner'],
  ['missed by jsQR as it is', unread('jsqr', 'asIs'), 'good', 'oneScanner'],
  ['with little to lose', { ...blackOnWhite, damageMargin: 0.05 }, 'good', 'littleDamage'],
  ['lost in low light', unread('zxing', 'lowLight'), 'risky', 'lostInLowLight'],
  ['lost when blurred', unread('zxing', 'blurred', 'lowLight'), 'risky', 'lostWhenBlurred'],
  ['lost when small', unread('zxing', 'small', 'blurred'), 'risky', 'lostWhenSmall'],
  ['just below contrast 3', { ...blackOnWhite, contrast: 2.99 }, 'risky', 'alike'],
  ['weak and lost in low light', { ...unread('zxing', 'lowLight'), contrast: 2 }, 'risky', 'alike'],
  ['light on dark', negative, 'risky', 'inverted'],
  ['light on dark and read anyway', { ...blackOnWhite, inverted: true }, 'risky', 'inverted'],
  ['light on dark and weak', { ...negative, contrast: 2 }, 'risky', 'invertedAndAlike'],
  ['light on dark and unseen', { ...negative, negativeReads: false }, 'unreadable', 'unreadable'],
  [
    'dark on light as a negative only',
    { ...negative, inverted: false },
    'unreadable',
    'unreadable',
  ],
  ['unseen for no visible reason', unseen, 'unreadable', 'unreadable'],
  ['unseen and weak', { ...unseen, contrast: 1.2 }, 'unreadable', 'tooAlike'],
  ['of one brightness', { ...unseen, contrast: 1 }, 'unreadable', 'sameBrightness'],
]

test.each(cases)('a code %s is judged so', (_, found, verdict, reason) => {
  expect(verdictOf(found)).toEqual({ verdict, reason: reasons[reason] })
})

test('every reason is given to some code', () => {
  expect(new Set(cases.map(([, , , reason]) => reason))).toEqual(new Set(Object.keys(reasons)))
})

test('a reason is one plain sentence that fits beside a picture', () => {
  for (const reason of Object.values(reasons)) {
    expect(reason).toMatch(/^[A-Z][^.!?]*\.$/)
    expect(reason.length).toBeLessThanOrEqual(160)
    expect(reason).not.toMatch(/module|decoder|zxing|jsqr|contrast ratio|luminance/i)
  }
})
