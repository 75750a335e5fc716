import { DAY_MS } from '#contract/time.ts'
import { type Letter, unlinked } from '../mail/mail-template.ts'

/** A letter about this is of no use after so long. */
export const LETTER_LIFE_MS = 7 * DAY_MS

/**
 * Says that an endpoint gets nothing more, and how it is switched on again. Its address is left out if
 * that of the account is not proved: the mail may go to a stranger.
 */
export function switchedOffLetter(
  { url, why }: { url: string; why: 'failing' | 'gone' },
  { emailVerified, publicUrl }: { emailVerified: boolean; publicUrl: string },
): Letter {
  const to = emailVerified ? ` to ${unlinked(new URL(url).host)}` : ''
  return {
    subject: `Your webhook${to} is switched off`,
    paragraphs: [
      why === 'gone'
        ? 'Its server answered “410 Gone”, which says that it wants no more events.'
        : 'For three days its server did not take any event that we sent.',
      'We send nothing there any more. Your QR codes work as before. When the server is ready again, switch the webhook on: events that wait there for less than 30 days are sent then.',
    ],
    facts: emailVerified ? [['Address', unlinked(url)]] : [],
    button: { label: 'See your webhooks', url: `${publicUrl}/profile?settings=webhooks` },
  }
}
