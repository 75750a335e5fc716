import type { WorkspaceId } from '../database/ids.ts'
import { escapeHtml } from '../http/plain-page.ts'
import { openedIn } from '../memberships.ts'

/** The words of a mail, in plain text. Each text is a sentence or a few. */
export type Letter = {
  /** The heading, which is the subject too */
  subject: string
  paragraphs: string[]
  /** The one thing to do; the address is also shown as text */
  button?: { label: string; url: string }
  /** Facts in two columns, such as when and from where */
  facts?: [string, string][]
  /** After the facts: lists of names and what each has */
  tables?: { title: string; rows: [string, string][] }[]
  /** After the button, in small letters: how long it works, what to do if it was another person */
  notes?: string[]
  /** Where this kind of mail can be ended, for mails that are not about security */
  unsubscribe?: string
}

/**
 * A text that a user typed. An invisible word joiner follows each sign of an address, so that no mail
 * program makes a link out of it.
 */
export const unlinked = (text: string) => text.replace(/[./:@。．｡]/g, '$&\u2060')

/** A button that leads to a section of the settings. `workspaceId` is of what isn't the reader's own workspace. */
export const settingsButton = (
  { publicUrl, workspaceId }: { publicUrl: string; workspaceId?: WorkspaceId | undefined },
  label: string,
  section: string,
) => ({ label, url: openedIn(`${publicUrl}/profile?settings=${section}`, workspaceId) })

/** The brand's colours (client/ui/theme/brand.css). Mail programs know no variables, so each place names its own. */
const STYLE = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
body{margin:0;padding:0;background:#faf8f5;color:#2a2520}
.page{background:#faf8f5}.panel{background:#ffffff;border:1px solid #e3ddd3}
h1,h2,p,td,th{color:#2a2520}.quiet,.quiet a{color:#665d51}
.button{background:#0b6655;color:#ffffff}.tile{background:#0b6655}
@media (prefers-color-scheme:dark){
body,.page{background:#191714!important}.panel{background:#211f1b!important;border-color:#3a3630!important}
h1,h2,p,td,th{color:#ece8e1!important}.quiet,.quiet a{color:#b3aca1!important}
.button{background:#5ac3a6!important;color:#191714!important}.tile{background:#5ac3a6!important}
}`
const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

/** A letter as plain text and as HTML, in light and dark, without remote pictures. */
export function writeLetter(letter: Letter, publicUrl: string): { text: string; html: string } {
  return { text: asText(letter, publicUrl), html: asHtml(letter, publicUrl) }
}

function asText(letter: Letter, publicUrl: string): string {
  const { subject, paragraphs, button, facts = [], tables = [], notes = [], unsubscribe } = letter
  const linesOf = (rows: [string, string][]) =>
    rows.map(([name, value]) => `${name}: ${value}`).join('\n')
  return [
    subject,
    ...paragraphs,
    ...(facts.length > 0 ? [linesOf(facts)] : []),
    ...tables.map(({ title, rows }) => `${title}\n${linesOf(rows)}`),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...notes,
    // The signature's mark, RFC 3676 §4.3
    `-- \nTessera, ${publicUrl}${unsubscribe ? `\nStop these emails: ${unsubscribe}` : ''}`,
  ].join('\n\n')
}

function asHtml(letter: Letter, publicUrl: string): string {
  const { subject, paragraphs, button, facts = [], tables = [], notes = [], unsubscribe } = letter
  const paragraph = (text: string) =>
    `<p style="margin:0 0 16px;font-size:16px;line-height:1.6;${FONT}">${escapeHtml(text)}</p>`
  const quiet = (html: string) =>
    `<p class="quiet" style="margin:0 0 12px;font-size:14px;line-height:1.5;${FONT}">${html}</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
${brand()}
<table role="presentation" class="panel" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;border-radius:12px">
<tr><td style="padding:32px 28px 20px">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;${FONT}">${escapeHtml(subject)}</h1>
${paragraphs.map(paragraph).join('\n')}
${facts.length > 0 ? factTable(facts) : ''}
${tables.map(listTable).join('\n')}
${button ? buttonOf(button) : ''}
${notes.map((note) => quiet(escapeHtml(note))).join('\n')}
${button ? quiet(`If the button doesn’t work, open this address:<br><a href="${escapeHtml(button.url)}" style="word-break:break-all">${escapeHtml(button.url)}</a>`) : ''}
</td></tr>
</table>
<p class="quiet" style="margin:16px 0 0;font-size:13px;line-height:1.5;${FONT}">QR codes by <a href="${escapeHtml(publicUrl)}">Tessera</a>${unsubscribe ? ` · <a href="${escapeHtml(unsubscribe)}">Stop these emails</a>` : ''}</p>
</td></tr></table>
</body>
</html>
`
}

/** The logo (client/ui/page/logo.tsx) in the cells of a table, which no mail program holds back as a picture. */
const MARK = ['TTT', ' T ', ' TO']

function brand(): string {
  const cell = (tile: string) => {
    const shape =
      tile === ' ' ? '' : ` class="tile" style="border-radius:${tile === 'O' ? 3 : 1}px"`
    return `<td width="6" height="6"${shape}></td>`
  }
  const rows = MARK.map((row) => `<tr>${[...row].map(cell).join('')}</tr>`).join('')
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 auto 20px"><tr>
<td style="padding-right:9px"><table role="presentation" cellpadding="0" cellspacing="1" style="font-size:0;line-height:0">${rows}</table></td>
<td style="font-size:19px;font-weight:700;letter-spacing:-.02em;${FONT}">Tessera</td>
</tr></table>`
}

function buttonOf({ label, url }: { label: string; url: string }): string {
  return `<p style="margin:8px 0 24px"><a class="button" href="${escapeHtml(url)}" style="display:inline-block;padding:12px 22px;border-radius:8px;font-size:16px;font-weight:600;text-decoration:none;${FONT}">${escapeHtml(label)}</a></p>`
}

function factTable(facts: [string, string][]): string {
  const row = ([name, value]: [string, string]) =>
    `<tr><td class="quiet" style="padding:4px 16px 4px 0;font-size:14px;line-height:1.4;vertical-align:top;word-break:break-word;${FONT}">${escapeHtml(name)}</td><td style="padding:4px 0;font-size:14px;line-height:1.4;vertical-align:top;${FONT}">${escapeHtml(value)}</td></tr>`
  return `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:0 0 16px">${facts.map(row).join('')}</table>`
}

/** A heading and its list, which screen readers read as a table with the names as its rows' heads. */
function listTable({ title, rows }: { title: string; rows: [string, string][] }): string {
  const cell = 'padding:5px 0;font-size:14px;line-height:1.4;vertical-align:top;text-align:'
  const row = ([name, value]: [string, string]) =>
    `<tr><th scope="row" style="${cell}left;font-weight:400;word-break:break-word;${FONT}">${escapeHtml(name)}</th><td width="45%" style="${cell}right;padding-left:16px;${FONT}">${together(escapeHtml(value))}</td></tr>`
  return `<h2 style="margin:20px 0 4px;font-size:16px;line-height:1.4;${FONT}">${escapeHtml(title)}</h2>
<table width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 16px;border-collapse:collapse">${rows.map(row).join('')}</table>`
}

/** Keeps a part in brackets in one line. */
const together = (html: string) =>
  html.replace(/\(.*\)$/, (part) => `<span style="white-space:nowrap">${part}</span>`)
