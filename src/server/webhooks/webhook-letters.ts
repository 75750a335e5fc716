import type { LetterContext } from '../mail/mail-room.ts'
import { type Letter, settingsButton, unlinked } from '../mail/mail-template.ts'

/** Says that an endpoint gets nothing more, and how it is switched on again. */
export function switchedOffLetter(
  { url, why }: { url: string; why: 'failing' | 'gone' },
  { emailVerified, publicUrl }: LetterContext,
): Letter {
  const to = emailVerified ? ` to ${unlinked(new URL(url).host)}` : ''
  return {
    subject: `Your webhook${to} is off`,
    paragraphs: [
      why === 'gone'
        ? 'Its server answered “410 Gone”, which means it doesn’t want any more events.'
        : 'Its server hasn’t accepted any event for three days.',
      'We’ve stopped sending events there. Your QR codes keep working. When the server is ready again, turn the webhook back on. We’ll then send the events that have waited for less than 30 days.',
    ],
    facts: emailVerified ? [['Address', unlinked(url)]] : [],
    button: settingsButton(publicUrl, 'See my webhooks', 'webhooks'),
  }
}

/** Says that a program with a key sends the account's events to an address. */
export function addressByKeyLetter(
  { url, key, isNew }: { url: string; key: string; isNew: boolean },
  { emailVerified, publicUrl }: LetterContext,
): Letter {
  const by = emailVerified ? `the API key “${unlinked(key)}”` : 'one of your API keys'
  return {
    subject: `An API key ${isNew ? 'added a webhook' : 'changed a webhook’s address'}`,
    paragraphs: [
      `A program with ${by} did this. From now on, events of your account are sent to that address.`,
    ],
    facts: emailVerified ? [['Address', unlinked(url)]] : [],
    button: settingsButton(publicUrl, 'See my webhooks', 'webhooks'),
    notes: [
      'If you use a service such as Zapier or n8n, this was probably it. If you don’t know the address, remove the webhook and revoke the API key.',
    ],
  }
}
