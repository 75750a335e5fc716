import { escapeHtml, plainPage as page } from '../http/plain-page.ts'

/**
 * Pages for the people who scan: no script, no account, readable on the smallest phone. They say
 * nothing of the owner's plan, which is private.
 */

const ASK = 'If you need what it led to, ask those who gave it to you.'

export const unknownCodePage = page(
  'This code is not known',
  '<p>No page belongs to this link. It may have been deleted, or it was typed or printed with a mistake.</p>',
)

/** What a code's owner shows here of themselves; each is null unless they wrote it in their settings. */
export type Contact = { name: string | null; contact: string | null }

export const pausedCodePage = (contact?: Contact) =>
  page(
    'This code is paused',
    `<p>It leads nowhere at the moment. Please try again later. ${ASK}</p>${contactBlock(contact)}`,
  )

export const expiredCodePage = (contact?: Contact) =>
  page(
    'This code has expired',
    `<p>It leads nowhere at the moment. ${ASK}</p>${contactBlock(contact)}`,
  )

/** Text only: nothing that an owner wrote becomes a link. */
function contactBlock({ name, contact }: Contact = { name: null, contact: null }): string {
  const lines = [name, contact].filter((line) => line !== null)
  if (lines.length === 0) return ''
  const texts = lines.map((line) => `<bdi>${escapeHtml(line)}</bdi>`).join('<br>')
  return `<p class="contact">The owner of this code:<br><b>${texts}</b></p>`
}

export const unavailablePage = page(
  'Please try again in a moment',
  '<p>We could not look this code up just now. Nothing is wrong with the code: scan it again shortly.</p>',
)

/** Shows the destination, for a link with a + after it. */
export function destinationPage(url: string): string {
  const safe = escapeHtml(url)
  return page(
    'Where this code leads',
    `<p class="destination">${safe}</p>
<p><a class="go" href="${safe}" rel="noreferrer nofollow">Go there</a></p>`,
  )
}
