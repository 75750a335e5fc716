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
  files: { png: true, jpg: true },
  weakInk: 'foreground',
  ground: 1,
  damageMargin: 0.08,
  blamed: null,
  hasLogo: false,
  transparent: false,
}

/** Black on white, but for what a decoder did not read. */
function unread(decoder: DecoderName, ...conditions: ScanCondition[]): Findings {
  const reads = { ...blackOnWhite.reads }
  for (const condition of conditions) reads[condition] = { ...reads[condition], [decoder]: false }
  const isRead = reads.asIs.zxing
  return { ...blackOnWhite, reads, files: { png: isRead, jpg: isRead } }
}

const none = { zxing: false, jsqr: false }
const unseen: Findings = {
  ...blackOnWhite,
  reads: { asIs: none, small: none, blurred: none, lowLight: none },
  files: { png: false, jpg: false },
}
const negative = { ...unseen, inverted: true, negativeReads: true }

const cases: [what: string, found: Findings, verdict: Verdict, reason: keyof typeof reasons][] = [
  ['read by all', blackOnWhite, 'excellent', 'excellent'],
  ['read by all at contrast 7', { ...blackOnWhite, contrast: 7 }, 'excellent', 'excellent'],
  ['just below contrast 7', { ...blackOnWhite, contrast: 6.99 }, 'good', 'fairContrast'],
  ['missed by jsQR when small', unread('jsqr', 'small'), 'good', 'oneScanner'],
  ['missed by jsQR as it is', unread('jsqr', 'asIs'), 'risky', 'missedByOne'],
  ['on a ground that is too dark for dusk', { ...blackOnWhite, ground: 0.59 }, 'good', 'dimGround'],
  [
    'with a gradient that is a little light',
    { ...blackOnWhite, contrast: 5, weakInk: 'gradient' },
    'good',
    'fairGradient',
  ],
  [
    'with eyes that are a little light',
    { ...blackOnWhite, contrast: 5, weakInk: 'eyes' },
    'good',
    'fairEyes',
  ],
  [
    'with a logo that leaves little',
    { ...blackOnWhite, hasLogo: true, damageMargin: 0.05 },
    'good',
    'littleBesideLogo',
  ],
  ['without a background', { ...blackOnWhite, transparent: true }, 'excellent', 'excellentOnWhite'],
  [
    'a little light and without a background',
    { ...blackOnWhite, transparent: true, contrast: 5 },
    'good',
    'fairOnWhite',
  ],
  [
    'light and without a background',
    { ...blackOnWhite, transparent: true, contrast: 2 },
    'risky',
    'alikeOnWhite',
  ],
  [
    'unseen without a background',
    { ...unseen, transparent: true, contrast: 1.2 },
    'unreadable',
    'unseenOnWhite',
  ],
  [
    'with an unseen end of its gradient',
    { ...unseen, contrast: 1.2, weakInk: 'gradient' },
    'unreadable',
    'gradientUnseen',
  ],
  ['with unseen eyes', { ...unseen, contrast: 1.2, weakInk: 'eyes' }, 'unreadable', 'eyesUnseen'],
  [
    'lost in its JPG, which has a background',
    { ...unread('zxing', 'asIs'), transparent: true, files: { png: true, jpg: false } },
    'risky',
    'jpgMissed',
  ],
  ['missed as it is and read when small', unread('zxing', 'asIs'), 'risky', 'someMissed'],
  [
    'read by no more than jsQR',
    unread('zxing', 'asIs', 'small', 'blurred', 'lowLight'),
    'risky',
    'someMissed',
  ],
  [
    'lost for its modules',
    { ...unread('zxing', 'lowLight'), blamed: 'modules' },
    'risky',
    'modulesLost',
  ],
  ['lost for its eyes', { ...unread('jsqr', 'asIs'), blamed: 'eyes' }, 'risky', 'eyesLost'],
  ['lost for its logo', { ...unread('zxing', 'small'), blamed: 'logo' }, 'risky', 'logoLost'],
  [
    'with a gradient that ends too light',
    { ...blackOnWhite, contrast: 2, weakInk: 'gradient' },
    'risky',
    'alikeGradient',
  ],
  [
    'with eyes that are too light',
    { ...blackOnWhite, contrast: 2, weakInk: 'eyes' },
    'risky',
    'alikeEyes',
  ],
  [
    'with a gradient that ends lighter than its ground',
    { ...blackOnWhite, inverted: true, weakInk: 'gradient' },
    'risky',
    'invertedGradient',
  ],
  [
    'with eyes lighter than its ground',
    { ...blackOnWhite, inverted: true, weakInk: 'eyes' },
    'risky',
    'invertedEyes',
  ],
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
    expect(reason).not.toMatch(/decoder|zxing|jsqr|contrast ratio|luminance/i)
  }
})
