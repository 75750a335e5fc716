import { shownAddress } from '#contract/shown-address.ts'
import { escapeHtml, plainPage as page } from '../http/plain-page.ts'

/**
 * Pages for the people who scan: no script, no account, readable on the smallest phone. They say
 * nothing of the owner's plan, which is private.
 */

/** Name and contact of a code's owner; each is null unless they wrote it in their settings. */
export type Contact = { name: string | null; contact: string | null }

/** A name that leads nowhere on a customer's host, in the name of its owner */
export const unknownNamePage = (contact?: Contact) =>
  page(
    'Code not found',
    `<p>This link doesn’t lead anywhere. If you typed it, check it for mistakes. If you scanned it, please contact the person who gave it to you.</p>${contactBlock(contact, 'The owner of this site:')}`,
  )

/** Unknown and deleted codes have the same page, which does not say that a code was once there. */
export const unknownCodePage = unknownNamePage()

export const pausedCodePage = (contact?: Contact) =>
  page(
    'This code is paused',
    `<p>This link isn’t active right now. Please try again later, or contact the person who gave it to you.</p>${contactBlock(contact)}`,
  )

/** A code before its owner's first moment */
export const earlyCodePage = (startsAt: Date, contact?: Contact) =>
  page(
    'This code isn’t active yet',
    `<p>It starts on ${startsAt.toUTCString()}. Please scan it again then.</p>${contactBlock(contact)}`,
  )

/** A code after its owner's end, or its last scan */
export const overCodePage = (contact?: Contact) =>
  page(
    'This code is no longer active',
    `<p>Please contact the person who gave it to you.</p>${contactBlock(contact)}`,
  )

/** @param url where the code led, if the page offers to go there */
export const expiredCodePage = (contact?: Contact, url?: string) =>
  page(
    'This code has expired',
    url
      ? `<p>This code has expired, but you can still visit the page.</p>${onward(url, `Continue to ${new URL(url).host}`)}${contactBlock(contact)}`
      : `<p>This link isn’t active. Please contact the person who gave it to you.</p>${contactBlock(contact)}`,
  )

const onward = (url: string, words: string) =>
  `<p><a class="go" href="${escapeHtml(url)}" rel="noreferrer nofollow">${escapeHtml(words)}</a></p>`

/** Text only: nothing that an owner wrote becomes a link. */
function contactBlock(
  { name, contact }: Contact = { name: null, contact: null },
  words = 'The owner of this code:',
): string {
  const lines = [name, contact].filter((line) => line !== null)
  if (lines.length === 0) return ''
  const texts = lines.map((line) => `<bdi>${escapeHtml(line)}</bdi>`).join('<br>')
  return `<p class="contact">${words}<br><b>${texts}</b></p>`
}

export const unavailablePage = page(
  'Please try again in a moment',
  '<p>We couldn’t look up this code just now. There’s nothing wrong with it: scan it again in a few seconds.</p>',
)

/** Shows the destination, for a link with a + after it. */
export function destinationPage({ url, hasRules }: { url: string; hasRules: boolean }): string {
  return page(
    'Where this code leads',
    `<p class="destination">${escapeHtml(shownAddress(url))}</p>
${hasRules ? '<p>It can lead elsewhere, by rules of its owner.</p>' : ''}
${onward(url, 'Go there')}`,
  )
}
