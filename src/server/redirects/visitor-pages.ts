import { escapeHtml } from '../escape-html.ts'

/** Pages for the people who scan: no script, no account, readable on the smallest phone. */

const STYLE = `
:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;box-sizing:border-box;
font:1.0625rem/1.6 system-ui,sans-serif;background:#f6f7f9;color:#16191d}
main{max-width:32rem;width:100%;background:#fff;border:1px solid #dfe3e8;border-radius:1rem;padding:2rem;box-sizing:border-box}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
p{margin:.5rem 0 0}
.destination{overflow-wrap:anywhere;font-weight:600}
footer{margin-top:1.75rem;font-size:.875rem;color:#59626e}
a{color:#0b57c2}
@media (prefers-color-scheme:dark){body{background:#101316;color:#e8ebef}main{background:#181c21;border-color:#2c333b}
footer{color:#a3adb8}a{color:#8ab8ff}}`

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${body}
<footer>QR codes by <a href="/">Tessera</a></footer>
</main>
</body>
</html>
`
}

export const unknownCodePage = page(
  'This code is not known',
  '<p>No page belongs to this link. It may have been deleted, or it was typed or printed with a mistake.</p>',
)

export const pausedCodePage = page(
  'This code is paused',
  '<p>Its owner has switched it off for now. Please try again later.</p>',
)

export const expiredCodePage = page(
  'This code has expired',
  '<p>It no longer leads anywhere. Its owner can bring it back by upgrading their plan.</p>',
)

export const unavailablePage = page(
  'Please try again in a moment',
  '<p>We could not look this code up just now. Nothing is wrong with the code: scan it again shortly.</p>',
)

/** Where a code leads, for whoever puts a + after its link. */
export function destinationPage(url: string): string {
  const safe = escapeHtml(url)
  return page(
    'Where this code leads',
    `<p class="destination">${safe}</p>
<p><a href="${safe}" rel="noreferrer nofollow">Go there</a></p>`,
  )
}
