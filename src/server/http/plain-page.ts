import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import frames from './page-frames.json' with { type: 'json' }
import { LONG_STYLE, PAGE_STYLE, SHORT_STYLE } from './page-style.ts'

/*
 * The frame of the pages that the server writes itself: the site's header and footer, no script, and
 * nothing to wait for.
 */

/** The logo's six tiles, as in client/ui/page/logo.tsx. */
const LOGO = `<svg viewBox="0 0 16 16" width="24" height="24" aria-hidden="true">
<rect width="4.8" height="4.8" rx="1"/><rect x="5.6" width="4.8" height="4.8" rx="1"/><rect x="11.2" width="4.8" height="4.8" rx="1"/>
<rect x="5.6" y="5.6" width="4.8" height="4.8" rx="1"/><rect x="5.6" y="11.2" width="4.8" height="4.8" rx="1"/><circle cx="13.6" cy="13.6" r="2.4"/>
</svg>`

const linksTo = (pages: Record<string, string>) =>
  Object.entries(pages)
    .map(([address, name]) => `<a href="${address}">${name}</a>`)
    .join('\n')

const HEADER_LINKS = linksTo({ '/': 'Home', '/api/help': 'Help', '/api/docs': 'API Docs' })

/** A heading of a long page: its anchor and its text, without markup. */
export type Heading = { id: string; title: string }

type PageOptions = {
  /** HTML that stands above the contents */
  lead?: string
  /** For more than a few lines, with headings and lists */
  isLong?: boolean
  /** The headings that a list at the side, or above the text on a phone, leads to */
  contents?: Heading[]
  language?: keyof typeof frames
}

/**
 * A page with this title.
 * @param body HTML, escaped where it has to be
 */
export function plainPage(title: string, body: string, options: PageOptions = {}): string {
  const { lead = '', isLong = false, contents = [], language = 'en' } = options
  const { direction, label, links } = frames[language]
  const list = contents.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`)
  const hasContents = list.length > 0
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="theme-color" content="#faf8f5" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#191714" media="(prefers-color-scheme: dark)">
<title>${escapeHtml(title)} – Tessera</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg">
<style>${PAGE_STYLE}${isLong ? LONG_STYLE : SHORT_STYLE}</style>
</head>
<body>
<header><a class="brand" href="/">${LOGO}Tessera</a>${isLong ? `<nav aria-label="Main">${HEADER_LINKS}</nav>` : ''}</header>
<main${hasContents ? ' class="two"' : ''}>
${hasContents ? `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${list.join('')}</ul></nav>` : ''}
<article>
<h1>${escapeHtml(title)}</h1>
${lead}
${hasContents ? `<details class="contents"><summary>On this page</summary><ul>${list.join('')}</ul></details>` : ''}
${body}
</article>
</main>
<footer><nav aria-label="${label}">${linksTo(links)}</nav></footer>
</body>
</html>
`
}

/** @param targets where forms of the page may lead */
const pagePolicy = (targets: string) =>
  `default-src 'none'; style-src 'unsafe-inline'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action ${targets}; frame-ancestors 'none'`

/** The headers of a page of `plainPage`. No cache keeps it, and its links do not leak its address. */
export const PAGE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': pagePolicy("'none'"),
  'referrer-policy': 'no-referrer',
  'content-type': 'text/html; charset=utf-8',
}

/**
 * The headers of a page with a form whose answer may lead to another site: Chrome holds `form-action` against
 * redirects, too. With `no-referrer` the form would be sent with `Origin: null`.
 */
export const FORM_PAGE_HEADERS = {
  ...PAGE_HEADERS,
  'content-security-policy': pagePolicy("'self' http: https:"),
  'referrer-policy': 'same-origin',
}

/** Sends a page of `plainPage`. */
export function sendPlainPage(reply: FastifyReply, status: number, html: string) {
  return reply.code(status).headers(PAGE_HEADERS).send(html)
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML and XML, also for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

type Words = { title: string; says?: string; go?: [address: string, words: string] }

const byStatus: Record<number, Words> = {
  401: {
    title: 'Please log in',
    says: 'You need to be logged in to see this page.',
    go: ['/api/login', 'Log In'],
  },
  403: { title: 'You can’t open this page' },
  404: { title: 'Page not found', says: 'Check the address, or start over from the home page.' },
  429: { title: 'Too many requests' },
  503: { title: 'Please try again in a moment' },
}

/** Whether a browser opens the address itself. Programs, scripts and pictures do not ask for HTML. */
export const isPageView = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>) =>
  method === 'GET' && (headers.accept ?? '').includes('text/html')

/** The page for a person whose browser opened an address that answers with an error. */
export function errorPage(error: { status: number; message: string }): string {
  const title = error.status < 500 ? 'That didn’t work' : 'Something went wrong'
  const words = byStatus[error.status] ?? { title }
  const [address, label] = words.go ?? ['/', 'Go to the Home Page']
  return plainPage(
    words.title,
    `<p>${escapeHtml(words.says ?? error.message)}</p>
<p><a class="go" href="${address}">${label}</a></p>`,
  )
}
