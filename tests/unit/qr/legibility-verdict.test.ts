import { expect, test } from 'vitest'
import {
  type DecoderName,
  type Findings,
  lossOf,
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

type Change = Partial<Findings>

/** The conditions in which a decoder did not read the code. */
function unread(decoder: DecoderName, ...conditions: ScanCondition[]): Change {
  const reads = { ...blackOnWhite.reads }
  for (const condition of conditions) reads[condition] = { ...reads[condition], [decoder]: false }
  const isRead = reads.asIs.zxing
  return { reads, files: { png: isRead, jpg: isRead } }
}

const none = { zxing: false, jsqr: false }
const unseen: Change = {
  reads: { asIs: none, small: none, blurred: none, lowLight: none },
  files: { png: false, jpg: false },
}
const alike = { ...unseen, contrast: 1.2 }
const jsqrAlone = unread('zxing', 'asIs', 'small', 'blurred', 'lowLight')
const negative = { ...unseen, inverted: true, negativeReads: true }
const dimmed = unread('zxing', 'lowLight')
const onPaperOnly = { transparent: true, files: { png: true, jpg: false } }
const lostAsJpg = { ...unread('zxing', 'asIs'), ...onPaperOnly }

/** Codes that are black on white and read by all, but for a change. */
const cases: [string, Change, Verdict, keyof typeof reasons][] = [
  ['read by all', {}, 'excellent', 'excellent'],
  ['read by all at contrast 7', { contrast: 7 }, 'excellent', 'excellent'],
  ['just below contrast 7', { contrast: 6.99 }, 'good', 'fairContrast'],
  ['missed by jsQR when small', unread('jsqr', 'small'), 'good', 'oneScanner'],
  ['missed by jsQR as it is', unread('jsqr', 'asIs'), 'risky', 'missedByOne'],
  ['on a ground that is too dark for dusk', { ground: 0.59 }, 'good', 'dimGround'],
  ['with a fair gradient', { contrast: 5, weakInk: 'gradient' }, 'good', 'fairGradient'],
  ['with fair eyes', { contrast: 5, weakInk: 'eyes' }, 'good', 'fairEyes'],
  ['with a large logo', { hasLogo: true, damageMargin: 0.05 }, 'good', 'littleBesideLogo'],
  ['without a background', { transparent: true }, 'excellent', 'excellentOnWhite'],
  ['a little light on paper', { transparent: true, contrast: 5 }, 'good', 'fairOnWhite'],
  ['light on paper', { transparent: true, contrast: 2 }, 'risky', 'alikeOnWhite'],
  ['unseen on paper', { ...alike, transparent: true }, 'unreadable', 'unseenOnWhite'],
  ['with an end unseen', { ...alike, weakInk: 'gradient' }, 'unreadable', 'gradientUnseen'],
  ['with unseen eyes', { ...alike, weakInk: 'eyes' }, 'unreadable', 'eyesUnseen'],
  ['lost in its JPG alone', lostAsJpg, 'risky', 'jpgMissed'],
  ['missed as it is and read when small', unread('zxing', 'asIs'), 'risky', 'someMissed'],
  ['read by jsQR alone', jsqrAlone, 'risky', 'someMissed'],
  ['lost for its modules', { ...dimmed, blamed: 'modules' }, 'risky', 'modulesLost'],
  ['lost for its eyes', { ...unread('jsqr', 'asIs'), blamed: 'eyes' }, 'risky', 'eyesLost'],
  ['lost for its logo', { ...unread('zxing', 'small'), blamed: 'logo' }, 'risky', 'logoLost'],
  ['with a light gradient', { contrast: 2, weakInk: 'gradient' }, 'risky', 'alikeGradient'],
  ['with light eyes', { contrast: 2, weakInk: 'eyes' }, 'risky', 'alikeEyes'],
  ['with an end too light', { inverted: true, weakInk: 'gradient' }, 'risky', 'invertedGradient'],
  ['with eyes that are too light', { inverted: true, weakInk: 'eyes' }, 'risky', 'invertedEyes'],
  ['with little to lose', { damageMargin: 0.05 }, 'good', 'littleDamage'],
  ['lost in low light', dimmed, 'risky', 'lostInLowLight'],
  ['lost when blurred', unread('zxing', 'blurred', 'lowLight'), 'risky', 'lostWhenBlurred'],
  ['lost when small', unread('zxing', 'small', 'blurred'), 'risky', 'lostWhenSmall'],
  ['just below contrast 3', { contrast: 2.99 }, 'risky', 'alike'],
  ['weak and lost in low light', { ...dimmed, contrast: 2 }, 'risky', 'alike'],
  ['light on dark', negative, 'risky', 'inverted'],
  ['light on dark and read anyway', { inverted: true }, 'risky', 'inverted'],
  ['light on dark and weak', { ...negative, contrast: 2 }, 'risky', 'invertedAndAlike'],
  ['light on dark and unseen', { ...negative, negativeReads: false }, 'unreadable', 'unreadable'],
  ['read as a negative alone', { ...negative, inverted: false }, 'unreadable', 'unreadable'],
  ['unseen for no visible reason', unseen, 'unreadable', 'unreadable'],
  ['unseen and weak', alike, 'unreadable', 'tooAlike'],
  ['of one brightness', { ...unseen, contrast: 1 }, 'unreadable', 'sameBrightness'],
]

test.each(cases)('a code %s is judged so', (_, change, verdict, reason) => {
  expect(verdictOf({ ...blackOnWhite, ...change })).toEqual({ verdict, reason: reasons[reason] })
})

test('a reading that fails is a loss only if the colours are not to blame', () => {
  const reads = { ...blackOnWhite.reads, ...dimmed.reads }
  const loss = { condition: 'lowLight', decoder: 'zxing' }
  expect(lossOf({ reads, inverted: false, contrast: 3 })).toEqual(loss)
  expect(lossOf({ reads, inverted: false, contrast: 2.99 })).toBeNull()
  expect(lossOf({ reads, inverted: true, contrast: 21 })).toBeNull()
})

test('every reason is given to some code', () => {
  expect(new Set(cases.map(([, , , reason]) => reason))).toEqual(new Set(Object.keys(reasons)))
})

test('a reason is at most two plain sentences that fit beside a picture', () => {
  for (const reason of Object.values(reasons)) {
    expect(reason).toMatch(/^[A-Z][^.!?]*\.( [A-Z][^.!?]*\.)?$/)
    expect(reason.length).toBeLessThanOrEqual(160)
    expect(reason).not.toMatch(/decoder|zxing|jsqr|contrast ratio|luminance/i)
  }
})
