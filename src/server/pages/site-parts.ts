import { escapeHtml, plainPage } from '../http/plain-page.ts'

/* The parts of the site's pages. */

/** A part of a page below a heading. */
export type Section = { title: string; html: string }

/** A page's text: a few lines of HTML, then its sections. */
export type Content = { lead?: string; sections?: Section[] }

/** A page with this many sections lists them. */
const CONTENTS_FROM = 4

export const link = (href: string, words: string) =>
  `<a href="${escapeHtml(href)}">${escapeHtml(words)}</a>`

/** @param lines HTML, a paragraph each */
export const section = (title: string, ...lines: string[]): Section => ({
  title,
  html: lines.map((line) => `<p>${line}</p>`).join('\n'),
})

/** A program to copy, below its words. */
export function recipe(title: string, words: string, program: string): Section {
  const name = escapeHtml(title)
  const html = `<p>${words}</p>
<pre tabindex="0" role="region" aria-label="${name}">${escapeHtml(program)}</pre>`
  return { title, html }
}

const anchorOf = (title: string) => title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

/** A page in the site's frame. */
export function sitePage(title: string, { lead = '', sections = [] }: Content): string {
  const headings = sections.map(({ title }) => ({ id: anchorOf(title), title }))
  const parts = sections.map(
    ({ title, html }) => `<h2 id="${anchorOf(title)}">${escapeHtml(title)}</h2>\n${html}`,
  )
  const contents = headings.length < CONTENTS_FROM ? [] : headings
  return plainPage(title, parts.join('\n'), { lead, isLong: true, contents })
}
