import { DAY_MS } from '#contract/time.ts'
import type { Letter } from '../mail/mail-template.ts'

/** A letter about this is of no use after so long. */
export const LETTER_LIFE_MS = 7 * DAY_MS

/** Says that an endpoint gets nothing more, and how it is switched on again. */
export function switchedOffLetter(
  { url }: { url: string },
  { why, publicUrl }: { why: 'failing' | 'gone'; publicUrl: string },
): Letter {
  const { host } = new URL(url)
  return {
    subject: `Your webhook to ${host} is switched off`,
    paragraphs: [
      why === 'gone'
        ? 'The server at this address answered “410 Gone”, which says that it wants no more events.'
        : 'For three days the server at this address did not take any event that we sent.',
      'We send nothing there any more. Your QR codes work as before. When the server is ready again, switch the webhook on: events that wait there for less than 30 days are sent then.',
    ],
    facts: [['Address', url]],
    button: { label: 'See your webhooks', url: `${publicUrl}/profile?settings=webhooks` },
  }
}
