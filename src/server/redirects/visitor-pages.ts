import { shownAddress } from '#contract/shown-address.ts'
import { formatMinutes, formatStart } from '../formats.ts'
import { escapeHtml, plainPage } from '../http/plain-page.ts'
import { filled, type Words } from './visitor-words.ts'

/**
 * Pages for the people who scan, in their language: no script, no account, readable on the smallest phone.
 * They say nothing of the owner's plan, which is private.
 */

/** Name and contact of a code's owner; each is null unless they wrote it in their settings. */
export type Contact = { name: string | null; contact: string | null }

/** @param body HTML: our own texts have nothing to escape. */
function page({ language, direction, texts }: Words, title: string, ...body: string[]): string {
  const { footer } = texts
  return plainPage(title, body.join('\n'), { language, direction, footer })
}

const paragraph = (text: string) => `<p>${text}</p>`

/** A name that leads nowhere on a customer's host, in the name of its owner */
export function unknownNamePage(words: Words, contact?: Contact): string {
  const { unknownTitle, unknown, siteOwner } = words.texts
  return page(words, unknownTitle, paragraph(unknown), contactBlock(siteOwner, contact))
}

/** Unknown and deleted codes have the same page, which does not say that a code was once there. */
export const unknownCodePage = (words: Words) => unknownNamePage(words)

/** A code that leads nowhere now */
const deadCodePage = (words: Words, title: string, html: string, contact?: Contact) =>
  page(words, title, html, contactBlock(words.texts.codeOwner, contact))

export const pausedCodePage = (words: Words, contact?: Contact) =>
  deadCodePage(words, words.texts.pausedTitle, paragraph(words.texts.paused), contact)

/** A code before its owner's first moment */
export function earlyCodePage(words: Words, startsAt: Date, contact?: Contact): string {
  const { earlyTitle, early } = words.texts
  const start = formatStart(startsAt, { locale: words.language })
  return deadCodePage(words, earlyTitle, paragraph(filled(early, start)), contact)
}

/** A code after its owner's end, or its last scan */
export const overCodePage = (words: Words, contact?: Contact) =>
  deadCodePage(words, words.texts.overTitle, paragraph(words.texts.over), contact)

/** @param url where the code led, if the page offers to go there */
export function expiredCodePage(words: Words, contact?: Contact, url?: string): string {
  const { expiredTitle, expired, expiredOnward, continueTo } = words.texts
  const html = url
    ? paragraph(expiredOnward) + onward(url, filled(continueTo, isolated(new URL(url).host)))
    : paragraph(expired)
  return deadCodePage(words, expiredTitle, html, contact)
}

const onward = (url: string, html: string) =>
  `<p><a class="go" href="${escapeHtml(url)}" rel="noreferrer nofollow">${html}</a></p>`

/** Text that others wrote, whose direction moves nothing beside it */
const isolated = (text: string) => `<bdi>${escapeHtml(text)}</bdi>`

/** Text only: nothing that an owner wrote becomes a link. */
function contactBlock(
  words: string,
  { name, contact }: Contact = { name: null, contact: null },
): string {
  const lines = [name, contact].filter((line) => line !== null)
  if (lines.length === 0) return ''
  return `<p class="contact">${words}<br><b>${lines.map(isolated).join('<br>')}</b></p>`
}

export const unavailablePage = (words: Words) =>
  page(words, words.texts.unavailableTitle, paragraph(words.texts.unavailable))

/** A destination to show; without an address if a password protects it */
export type Shown = { url?: string | undefined; hasRules?: boolean }

/** Shows the destination, for a link with a + after it. */
export function destinationPage(words: Words, { url, hasRules = false }: Shown): string {
  const { previewTitle, asksForPassword, go } = words.texts
  return page(
    words,
    previewTitle,
    url ? `<p class="destination">${isolated(shownAddress(url))}</p>` : paragraph(asksForPassword),
    hasRules ? paragraph(words.texts.hasRules) : '',
    url ? onward(url, go) : '',
  )
}

/** Why a password was refused: it is another one, or its tries are used up for these minutes. */
export type PasswordProblem = 'wrong' | { minutes: number }

/** Asks for a code's password, which is sent to the address of this page: it needs `FORM_PAGE_HEADERS`. */
export function passwordPage(words: Words, { problem }: { problem?: PasswordProblem } = {}) {
  const { texts } = words
  const isWrong = problem === 'wrong'
  const says = problem && `<p id="problem" class="problem">${problemText(words, problem)}</p>`
  return page(
    words,
    texts.passwordTitle,
    paragraph(texts.asksForPassword),
    `<form method="post">
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="off" required autofocus${says ? ' aria-describedby="problem"' : ''}${isWrong ? ' aria-invalid="true"' : ''}>
${says ?? ''}
<button class="go">${texts.continue}</button>
</form>`,
  )
}

function problemText({ language, texts }: Words, problem: PasswordProblem): string {
  if (problem === 'wrong') return texts.wrongPassword
  return filled(texts.tooManyTries, formatMinutes(problem.minutes, { locale: language }))
}
