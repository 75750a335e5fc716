import { FREE_EXPIRY_DAYS, plans, type Tier } from '#contract/plans.ts'
import type { EndingCode } from '../../codes/types.ts'
import { type Letter, unlinked } from '../../mail/mail-template.ts'
import { pageUrl } from '../letters.ts'
import { dayInWords, localTime, timeInWords } from './local-time.ts'

/*
 * The notices: mails that are not about security.
 */

type Place = { zone: string | null; publicUrl: string; unsubscribe: string }

/** Codes named in one mail, and characters of a name in a subject. */
const NAMED_MAX = 20
const NAME_MAX = 60

/**
 * @param codes at least one, in the order of their ends
 * @param isProved whether the address is proved; if not, the mail may go to a stranger and has no names
 */
export function codesEndLetter(
  codes: EndingCode[],
  { zone, publicUrl, unsubscribe, isProved }: Place & { isProved: boolean },
): Letter {
  const [first] = codes
  if (!first) throw new TypeError('A mail about the end of codes names a code')
  const days = new Set(codes.map(({ expiresAt }) => localTime(expiresAt, zone).date))
  const when = days.size === 1 ? `on ${dayInWords(first.expiresAt, zone)}` : 'soon'
  const named = isProved ? codes.slice(0, NAMED_MAX) : []
  const isCut = isProved && codes.length > NAMED_MAX
  const subject =
    codes.length === 1
      ? `Your QR code${isProved ? ` “${shortened(first.name)}”` : ''} stops working ${when}`
      : `${codes.length} of your QR codes stop working ${when}`
  return {
    subject,
    unsubscribe,
    paragraphs: [
      `Codes that are made on the Free plan work for ${FREE_EXPIRY_DAYS} days. On a paid plan they keep working, and so does everything that you have printed.`,
      ...(isCut ? [`The first ${NAMED_MAX} of them:`] : []),
    ],
    facts: named.map(({ name, expiresAt }) => [shortened(name), timeInWords(expiresAt, zone)]),
    button: { label: 'See the plans', url: `${publicUrl}/subscription` },
    notes: ['You can also let them end: nothing else in your account changes.'],
  }
}

export function paymentFailedLetter(tier: Tier, { publicUrl, unsubscribe }: Place): Letter {
  return {
    subject: 'A payment for your Tessera plan failed',
    paragraphs: [
      `Your card was not charged for the ${plans[tier].name} plan. All your QR codes keep working.`,
      'Please check whether your card is still valid. The payment is tried again then.',
    ],
    button: { label: 'Check my payment', url: pageUrl(publicUrl, '/profile') },
    unsubscribe,
  }
}

/** @param endsAt null if the plan has ended */
export function planEndsLetter(
  { tier, endsAt }: { tier: Tier; endsAt: number | null },
  { zone, publicUrl, unsubscribe }: Place,
): Letter {
  const { name } = plans[tier]
  const end = endsAt === null ? 'has ended' : `ends on ${dayInWords(endsAt, zone)}`
  return {
    subject: `Your ${name} plan ${end}`,
    paragraphs: [
      'All QR codes that you made on it keep working, and you can still change where they lead.',
      `${endsAt === null ? 'Now' : 'From then on'} your account is on the Free plan: new codes beyond ${plans.free.codeLimit}, and new custom URLs, need a paid plan.`,
    ],
    button: { label: 'See the plans', url: `${publicUrl}/subscription` },
    unsubscribe,
  }
}

function shortened(name: string): string {
  const characters = [...name]
  const isLong = characters.length > NAME_MAX
  return unlinked(isLong ? `${characters.slice(0, NAME_MAX - 1).join('')}…` : name)
}
