import { FREE_EXPIRY_DAYS, plans, type Tier } from '#contract/billing/plans.ts'
import type { PaidInvoice, PlanNotice } from '../../billing/types.ts'
import type { DeadCode, EndingCode } from '../../codes/types.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import { knownZone, localTime } from '../../dates.ts'
import {
  formatDay,
  formatMoney,
  formatWeekday,
  formatWeekdayMoment,
  type Reader,
} from '../../formats.ts'
import { type Letter, unlinked } from '../../mail/mail-template.ts'
import { openedIn } from '../../memberships.ts'
import { pageUrl } from '../letters.ts'

/*
 * The notices, which are mails that are not about security, and receipts.
 */

type Place = {
  zone: string | null
  locale: string | null
  publicUrl: string
  unsubscribe: string
  /** The workspace that a link has to name */
  workspaceId?: WorkspaceId | undefined
}

/** The profile, in the workspace that a mail is about */
const profileUrl = ({ publicUrl, workspaceId }: Pick<Place, 'publicUrl' | 'workspaceId'>) =>
  pageUrl(publicUrl, openedIn('/profile', workspaceId))

const plansUrl = ({ publicUrl, workspaceId }: Place) =>
  openedIn(`${publicUrl}/subscription`, workspaceId)

const readerOf = ({ zone, locale }: Pick<Place, 'zone' | 'locale'>): Reader => ({
  locale,
  zone: knownZone(zone),
})

/** Codes named in one mail, and characters of a name in a subject. */
const NAMED_MAX = 20
const NAME_MAX = 60

/**
 * @param codes at least one, in the order of their ends
 * @param isProved whether the address is proved; if not, the mail may go to a stranger and has no names
 */
export function codesEndLetter(
  codes: EndingCode[],
  { isProved, ...place }: Place & { isProved: boolean },
): Letter {
  const { zone, unsubscribe } = place
  const reader = readerOf(place)
  const [first] = codes
  if (!first) throw new TypeError('A mail about the end of codes names a code')
  const days = new Set(codes.map(({ expiresAt }) => localTime(expiresAt, zone).date))
  const when = days.size === 1 ? `on ${formatWeekday(first.expiresAt, reader)}` : 'soon'
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
      `QR codes created on the Free plan work for ${FREE_EXPIRY_DAYS} days. On a paid plan they keep working, and so does everything you’ve printed.`,
      ...(isCut ? [`Here are the first ${NAMED_MAX}:`] : []),
    ],
    facts: named.map(({ name, expiresAt }) => [
      shortened(name),
      formatWeekdayMoment(expiresAt, reader),
    ]),
    button: { label: 'See plans', url: plansUrl(place) },
    notes: ['You can also let them expire. Nothing else in your account changes.'],
  }
}

/** @param codes at least one. @param isProved as of `codesEndLetter` */
export function deadCodesLetter(
  codes: DeadCode[],
  { isProved, publicUrl, unsubscribe, workspaceId }: Place & { isProved: boolean },
): Letter {
  const [first] = codes
  const isOne = codes.length === 1
  return {
    subject: isOne
      ? `The destination of ${first && isProved ? `“${shortened(first.name)}”` : 'a QR code'} isn’t working`
      : `The destinations of ${codes.length} QR codes aren’t working`,
    unsubscribe,
    paragraphs: [
      `We checked ${isOne ? 'it' : 'them'} several times within a day. People who scan ${isOne ? 'the code' : 'the codes'} probably see an error.`,
      ...(isProved && codes.length > NAMED_MAX ? [`Here are the first ${NAMED_MAX}:`] : []),
    ],
    facts: (isProved ? codes.slice(0, NAMED_MAX) : []).map(({ name, seen }) => [
      shortened(name),
      seen,
    ]),
    button: {
      label: 'See my codes',
      url: pageUrl(publicUrl, openedIn('/dashboard', workspaceId)),
    },
    notes: ['You can change where a code leads, or turn the check off for it.'],
  }
}

/** The letter about an event of a plan. */
export function planLetter(notice: PlanNotice, place: Place): Letter {
  const { kind, tier, next, endsAt } = notice
  if (kind === 'payment-failed') return paymentFailedLetter(tier, place)
  if (next === undefined || endsAt === null) return planEndsLetter(notice, place)
  return trialEndsLetter({ tier, endsAt, next }, place)
}

function paymentFailedLetter(tier: Tier, place: Place): Letter {
  return {
    subject: 'A payment for your Tessera plan failed',
    paragraphs: [
      `We couldn’t charge your card for the ${plans[tier].name} plan. All your QR codes keep working.`,
      'Please check that your card is still valid. Then we’ll try again.',
    ],
    button: { label: 'Check my payment', url: profileUrl(place) },
    unsubscribe: place.unsubscribe,
  }
}

/** @param isProved whether the address is proved; if not, the invoice, which has a name, is not linked */
export function receiptLetter(
  { number, amount, currency, paidAt, url }: PaidInvoice,
  { isProved, ...place }: Omit<Place, 'unsubscribe'> & { isProved: boolean },
): Letter {
  const reader = readerOf(place)
  const paid = formatMoney(amount, currency, reader)
  return {
    subject: `Your receipt from Tessera: ${paid}`,
    paragraphs: ['Thanks for your payment. Here’s your receipt.'],
    facts: [
      ...(number === null ? [] : [['Invoice', number] satisfies [string, string]]),
      ['Amount paid', paid],
      ['Date paid', formatDay(paidAt, reader)],
    ],
    button:
      url !== null && isProved
        ? { label: 'View invoice', url }
        : { label: 'View my invoices', url: profileUrl(place) },
  }
}

/** @param endsAt null if the plan has ended */
function planEndsLetter({ tier, endsAt }: { tier: Tier; endsAt: number | null }, place: Place) {
  const { unsubscribe } = place
  const { name } = plans[tier]
  const end = endsAt === null ? 'has ended' : `ends on ${formatWeekday(endsAt, readerOf(place))}`
  return {
    subject: `Your ${name} plan ${end}`,
    paragraphs: [
      'All QR codes you created on it keep working, and you can still change where they lead.',
      `${endsAt === null ? 'Now' : 'From then on'} your account is on the Free plan: more than ${plans.free.codeLimit} codes, and new custom URLs, need a paid plan.`,
    ],
    button: { label: 'See plans', url: plansUrl(place) },
    unsubscribe,
  }
}

function trialEndsLetter(
  { tier, endsAt, next }: Pick<Required<PlanNotice>, 'tier' | 'next'> & { endsAt: number },
  place: Place,
): Letter {
  const { unsubscribe } = place
  const { name } = plans[tier]
  const day = formatWeekday(endsAt, readerOf(place))
  return {
    subject: `Your free trial of ${name} ends on ${day}`,
    paragraphs: [
      `Then we charge $${(next.price / 100).toFixed(2)} for ${plans[next.tier].name} to your card, less your discount if you have one, and with tax where it’s due.`,
      `If you don’t want to go on, cancel before that day. You keep ${name} until then.`,
    ],
    button: { label: 'See my plan', url: profileUrl(place) },
    unsubscribe,
  }
}

function shortened(name: string): string {
  const characters = [...name]
  const isLong = characters.length > NAME_MAX
  return unlinked(isLong ? `${characters.slice(0, NAME_MAX - 1).join('')}…` : name)
}
