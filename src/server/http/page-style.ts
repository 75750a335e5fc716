/*
 * The style of the pages that the server writes itself. It stands in each page, so that a visitor whose
 * phone gets nothing else can read it. Only the fonts are loaded, and a system font stands in for them.
 */

/** A font of the system, scaled to the width and height of ours: the numbers are those of brand.css. */
const standIn = (name: string, fonts: string[], size: number, ascent: number, descent: number) =>
  `@font-face{font-family:"${name}";src:${fonts.map((font) => `local("${font}")`)};size-adjust:${size}%;ascent-override:${ascent}%;descent-override:${descent}%}`

const FONTS = [
  '@font-face{font-family:Figtree;font-weight:300 900;font-display:swap;src:url(/fonts/figtree.woff2) format("woff2")}',
  '@font-face{font-family:Bricolage;font-weight:200 800;font-display:swap;src:url(/fonts/bricolage-grotesque.woff2) format("woff2")}',
  standIn('F Arial', ['Arial', 'Liberation Sans', 'Helvetica', 'NimbusSans-Regular'], 100, 95, 25),
  standIn('F Roboto', ['Roboto', 'Roboto-Regular'], 101.7, 93.4, 24.6),
  standIn('F DejaVu', ['DejaVu Sans'], 88.8, 107, 28.2),
  standIn(
    'B Arial',
    ['Arial Bold', 'Liberation Sans Bold', 'Helvetica Bold', 'NimbusSans-Bold'],
    99.5,
    93.5,
    27.1,
  ),
  standIn('B Roboto', ['Roboto Bold', 'Roboto-Bold'], 106.6, 87.2, 25.3),
  standIn('B DejaVu', ['DejaVu Sans Bold'], 85.2, 109.2, 31.6),
].join('\n')

/** The colors of brand.css, by the same names but for `--fill`, which carries white text. */
export const PAGE_STYLE = `
${FONTS}
:root{color-scheme:light dark;--text:#2a2520;--quiet:#665d51;--page:#faf8f5;--panel:#ffffff;--line:#e3ddd3;--edge:#c4bbad;
--accent:#0b6655;--fill:#0b6655;--copper:#b0622f;--bad:#b3261e;
--heading:Bricolage,"B Arial","B Roboto","B DejaVu",system-ui,sans-serif}
@media (prefers-color-scheme:dark){:root{--text:#ece8e1;--quiet:#b3aca1;--page:#191714;--panel:#211f1b;--line:#3a3630;
--edge:#57514a;--accent:#5ac3a6;--fill:#127e68;--copper:#d08a55;--bad:#ff9c92}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%;text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--page);color:var(--text);
font:1rem/1.6 Figtree,"F Arial","F Roboto","F DejaVu",system-ui,sans-serif}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:.25rem}
body>header,footer nav{padding-inline:max(1.25rem,50% - 37.75rem)}
body>header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;border-bottom:1px solid var(--line);background:var(--panel)}
nav a,.brand{display:inline-flex;align-items:center;min-height:2.75rem;text-decoration:none}
nav a:hover,.brand:hover{text-decoration:underline}
.brand{gap:.5em;margin:.375rem 0;color:var(--text);font:700 1.3rem/1 var(--heading);letter-spacing:-.02em}
svg{fill:var(--accent);flex:none}
@media (forced-colors:active){svg{fill:currentColor}}
header nav,footer nav{display:flex;flex-wrap:wrap;gap:0 1.25rem;white-space:nowrap}
main{flex:1;width:100%;max-width:36rem;margin:0 auto;padding:2rem 1.25rem}
h1,h2{font-family:var(--heading);font-weight:700;letter-spacing:-.02em;line-height:1.2;text-wrap:balance}
h1{margin:0 0 .75rem;font-size:clamp(1.75rem,6vw,2.25rem)}
p{margin:.75rem 0 0;text-wrap:pretty}
.destination,.contact{overflow-wrap:anywhere}
.destination{font-weight:600}
.contact{margin-top:1.5rem;padding-top:1.25rem;border-top:1px solid var(--line)}
.go{display:inline-block;margin-top:.75rem;padding:.625rem 1.25rem;border-radius:.5rem;border:1px solid var(--fill);
background:var(--fill);color:#ffffff;font:inherit;font-weight:600;line-height:1.5;text-decoration:none;cursor:pointer}
.go:hover{text-decoration:underline}
body>footer::before{content:"";display:block;height:14px;background:repeating-linear-gradient(90deg,
var(--accent) 0 14px,transparent 0 16px,var(--edge) 0 30px,transparent 0 32px,var(--edge) 0 46px,transparent 0 48px,
var(--copper) 0 62px,transparent 0 64px,var(--edge) 0 78px,transparent 0 80px,var(--edge) 0 94px,transparent 0 96px)}
footer nav{padding-block:.75rem 1.25rem;font-size:.875rem}
header nav a{color:var(--text)}
footer a{color:var(--quiet)}`

/** Further styles for a few lines: a card in the middle. */
export const SHORT_STYLE = `
main{display:grid;align-content:center}
article{padding:clamp(1.5rem,6vw,2.5rem);border:1px solid var(--line);border-radius:.75rem;background:var(--panel)}
[dir=rtl] h1{letter-spacing:0}
h1:lang(ja){word-break:auto-phrase}
label{display:block;margin-top:1.25rem;font-weight:600}
input{width:100%;min-height:2.75rem;margin-top:.375rem;padding:.5rem .75rem;border:1px solid var(--quiet);border-radius:.5rem;
background:var(--page);color:var(--text);font:inherit}
.problem{margin-top:.375rem;color:var(--bad)}`

/** Further styles for pages with more than a few lines. */
export const LONG_STYLE = `
main{max-width:48rem;padding-block:clamp(2rem,6vh,3.5rem) 4rem}
h2{margin:2.5rem 0 0;font-size:1.375rem;scroll-margin-top:1rem}
ul{margin:.75rem 0 0;padding-left:1.25rem}
li{margin-top:.25rem}
li::marker{color:var(--accent)}
dl{display:grid;grid-template-columns:1fr auto;margin:1.5rem 0 0;border:1px solid var(--line);border-radius:.75rem;background:var(--panel)}
dt,dd{margin:0;padding:.75rem 1.25rem}
dt:nth-of-type(n+2),dd:nth-of-type(n+2){border-top:1px solid var(--line)}
dt{color:var(--quiet)}
dd{font-weight:600;font-variant-numeric:tabular-nums;text-align:right}
code,pre{font:.9375rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
pre{margin:.75rem 0 0;padding:.75rem 1rem;overflow:auto;overflow-wrap:normal;border:1px solid var(--line);border-radius:.5rem;background:var(--panel)}
.contents ul{margin:0;padding:0;list-style:none}
.contents li{margin:0}
.contents a{color:var(--quiet)}
.contents a:hover{color:var(--accent)}
details.contents{margin-top:1.25rem;border:1px solid var(--line);border-radius:.5rem;background:var(--panel)}
details.contents ul{padding:0 1rem .5rem}
details.contents a{display:flex;align-items:center;min-height:2.75rem;text-decoration:none}
summary{padding:.625rem 1rem;font-weight:600;cursor:pointer}
nav.contents{display:none}
@media (min-width:64rem){
main.two{display:grid;grid-template-columns:14rem minmax(0,44rem);justify-content:center;gap:4rem;max-width:none}
nav.contents{display:block;position:sticky;top:1.5rem;align-self:start;max-height:calc(100vh - 3rem);overflow:auto;font-size:.875rem;line-height:1.35}
nav.contents p{margin:0 0 .5rem;font-weight:600}
nav.contents a{min-height:0;padding:.3rem 0}
details.contents{display:none}
}`
