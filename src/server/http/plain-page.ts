import type { FastifyReply } from 'fastify'

/*
 * The frame of the pages that the server writes itself: no script, nothing to load, readable on the
 * smallest phone.
 */

/** The brand's colours (client/ui/theme/brand.css) without its fonts, which would have to be loaded. */
const STYLE = `
:root{color-scheme:light dark;--text:#2a2520;--quiet:#665d51;--page:#faf8f5;--panel:#fff;--line:#e3ddd3;--accent:#0b6655;
--tile:#c4bbad;--copper:#b0622f}
@media (prefers-color-scheme:dark){:root{--text:#ece8e1;--quiet:#b3aca1;--page:#191714;--panel:#211f1b;--line:#3a3630;
--accent:#5ac3a6;--tile:#57514a;--copper:#d08a55}}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;box-sizing:border-box;
font:1.0625rem/1.6 system-ui,sans-serif;background:var(--page);color:var(--text)}
main{max-width:30rem;width:100%;background:var(--panel);border:1px solid var(--line);border-radius:.75rem;overflow:hidden;box-sizing:border-box}
main::before{content:"";display:block;height:10px;background:repeating-linear-gradient(90deg,
var(--accent) 0 10px,transparent 0 13px,var(--tile) 0 23px,transparent 0 26px,var(--copper) 0 36px,transparent 0 39px,
var(--tile) 0 49px,transparent 0 52px)}
article{padding:2rem 2rem 1.5rem}
h1{font-size:1.625rem;line-height:1.2;letter-spacing:-.01em;text-wrap:balance;margin:0 0 .75rem}
p{margin:.5rem 0 0}
.destination{overflow-wrap:anywhere;font-weight:600}
.go{display:inline-block;margin-top:.75rem;padding:.5rem 1.25rem;border-radius:.5rem;border:1px solid var(--accent);text-decoration:none;font-weight:600}
.go:hover{text-decoration:underline}
footer{display:flex;align-items:center;gap:.5rem;padding:1rem 2rem;border-top:1px solid var(--line);font-size:.875rem;color:var(--quiet)}
svg{fill:var(--accent);flex:none}
a{color:var(--accent)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`

/** Further styles, for pages with more than a few lines. */
const LONG_STYLE = `
main{max-width:44rem}
h2{font-size:1.2rem;line-height:1.3;margin:2rem 0 0}
ul{margin:.5rem 0 0;padding-left:1.25rem}
li{margin-top:.25rem}
li::marker{color:var(--accent)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.5rem 1.5rem;margin:1.25rem 0 0}
dt{color:var(--quiet)}
dd{margin:0;font-weight:600;font-variant-numeric:tabular-nums}
code,pre{font:.9375rem/1.5 ui-monospace,monospace}
pre{margin:.75rem 0 0;padding:.75rem 1rem;overflow:auto;border:1px solid var(--line);border-radius:.5rem;background:var(--page)}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin-top:2rem}
nav a{padding-block:.25rem}`

/** The logo's six tiles, as in client/ui/logo.tsx. */
const LOGO = `<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true">
<rect width="4.8" height="4.8" rx="1"/><rect x="5.6" width="4.8" height="4.8" rx="1"/><rect x="11.2" width="4.8" height="4.8" rx="1"/>
<rect x="5.6" y="5.6" width="4.8" height="4.8" rx="1"/><rect x="5.6" y="11.2" width="4.8" height="4.8" rx="1"/><circle cx="13.6" cy="13.6" r="2.4"/>
</svg>`

/**
 * A page with this title.
 * @param body HTML, escaped where it has to be
 * @param options.isLong for more than a few lines, with headings and lists
 */
export function plainPage(title: string, body: string, { isLong = false } = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}${isLong ? LONG_STYLE : ''}</style>
</head>
<body>
<main>
<article>
<h1>${escapeHtml(title)}</h1>
${body}
</article>
<footer>${LOGO}<span>QR codes by <a href="/">Tessera</a></span></footer>
</main>
</body>
</html>
`
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Sends a page of `plainPage`. No cache keeps it, and its links do not leak its address. */
export function sendPlainPage(reply: FastifyReply, status: number, html: string) {
  return reply
    .code(status)
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': PAGE_POLICY,
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(html)
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
