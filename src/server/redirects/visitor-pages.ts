import { shownAddress } from '#contract/shown-address.ts'
import { MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import { formatMinutes, formatStart } from '../formats.ts'
import { escapeHtml, plainPage } from '../http/plain-page.ts'
import { filled, type Words } from './visitor-words.ts'

/** Name and contact of a code's owner; each is null unless they wrote it in their settings. */
export type Contact = { name: string | null; contact: string | null }

/** The form for a code's password, and what came before: 403 after a wrong one, 429 after too many tries. It needs `FORM_PAGE_HEADERS`. */
export type PasswordPage = {
  kind: 'locked'
  status: 200 | 403 | 413 | 415 | 429
  retryAfterS?: number
}

export type VisitorPage =
  /** A name that leads nowhere. A deleted code has the same page, which does not say that a code was once there. */
  | { kind: 'unknown' }
  | { kind: 'paused' | 'unavailable' }
  /** Before the owner's first moment, in epoch milliseconds */
  | { kind: 'early'; startsAt: number }
  /** After the owner's end, or the last scan */
  | { kind: 'over' }
  /** After the end of a free code. It leads on if it has an address. */
  | { kind: 'expired'; url?: string | undefined }
  /** Where a code leads, for a link with a + after it; without an address if a password protects it */
  | { kind: 'shown'; url?: string; hasRules: boolean }
  | PasswordPage

/**
 * A page for the people who scan, in their language: no script, no account, readable on the smallest phone.
 * It says nothing of the owner's plan, which is private.
 */
export function visitorPage(words: Words, page: VisitorPage, contact?: Contact): string {
  const { language, texts } = words
  const { siteOwner, codeOwner } = texts
  const body = bodyOf(words, page)
  if (contact) body.push(contactBlock(page.kind === 'unknown' ? siteOwner : codeOwner, contact))
  return plainPage(texts[`${page.kind}Title`], body.join('\n'), { language })
}

/** HTML: our own texts have nothing to escape. */
function bodyOf(words: Words, page: VisitorPage): string[] {
  const { language, texts } = words
  switch (page.kind) {
    case 'early':
      return [paragraph(filled(texts.early, formatStart(page.startsAt, { locale: language })))]
    case 'expired': {
      if (!page.url) return [paragraph(texts.expired)]
      const label = filled(texts.continueTo, isolated(new URL(page.url).host))
      return [paragraph(texts.expiredOnward), onward(page.url, label)]
    }
    case 'shown':
      return [
        page.url
          ? `<p class="destination">${isolated(shownAddress(page.url))}</p>`
          : paragraph(texts.asksForPassword),
        page.hasRules ? paragraph(texts.hasRules) : '',
        page.url ? onward(page.url, texts.go) : '',
      ]
    case 'locked':
      return [paragraph(texts.asksForPassword), passwordForm(words, page)]
    default:
      return [paragraph(texts[page.kind])]
  }
}

const paragraph = (text: string) => `<p>${text}</p>`

const onward = (url: string, html: string) =>
  `<p><a class="go" href="${escapeHtml(url)}" rel="noreferrer nofollow">${html}</a></p>`

/** Text that others wrote, whose direction moves nothing beside it */
const isolated = (text: string) => `<bdi>${escapeHtml(text)}</bdi>`

/** Text only: nothing that an owner wrote becomes a link. */
function contactBlock(words: string, { name, contact }: Contact): string {
  const lines = [name, contact].filter((line) => line !== null)
  if (lines.length === 0) return ''
  return `<p class="contact">${words}<br><b>${lines.map(isolated).join('<br>')}</b></p>`
}

/** The form is sent to the address of its page. */
function passwordForm(words: Words, page: PasswordPage): string {
  const { texts } = words
  const problem = problemOf(words, page)
  return `<form method="post">
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="off" required autofocus${problem ? ' aria-describedby="problem"' : ''}${page.status === 403 ? ' aria-invalid="true"' : ''}>
${problem && `<p id="problem" class="problem">${problem}</p>`}
<button class="go">${texts.continue}</button>
</form>`
}

function problemOf({ language, texts }: Words, { status, retryAfterS }: PasswordPage): string {
  if (status === 403) return texts.wrongPassword
  if (retryAfterS === undefined) return ''
  const minutes = Math.ceil((retryAfterS * SECOND_MS) / MINUTE_MS)
  return filled(texts.tooManyTries, formatMinutes(minutes, { locale: language }))
}
