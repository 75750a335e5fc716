import { IMPORT_ROWS_MAX } from '#contract/imports.ts'
import { FREE_EXPIRY_DAYS, plans } from '#contract/plans.ts'
import type { Config } from '../config.ts'
import { escapeHtml, plainPage } from '../http/plain-page.ts'

/*
 * The short pages that the landing page's footer leads to. They say what is so on this server, and
 * promise nothing that its operator has not set up.
 */

/** The settings that these pages show. */
export type Site = Pick<
  Config,
  | 'publicUrl'
  | 'supportEmail'
  | 'privacyUrl'
  | 'termsUrl'
  | 'blogUrl'
  | 'careersUrl'
  | 'signUp'
  | 'passwordLogin'
  | 'provider'
  | 'scanRetention'
  | 'geoipDatabases'
  | 'geoHeaders'
  | 'billing'
  | 'demo'
>

/** The address of each page, and what the footer calls it. */
const names = {
  help: 'Help Center',
  integrations: 'Integrations',
  about: 'About',
  contact: 'Contact',
  privacy: 'Privacy Policy',
  terms: 'Terms of Service',
  blog: 'Blog',
  careers: 'Careers',
} as const
export type SitePage = keyof typeof names

export const sitePages = Object.keys(names) as SitePage[]

/** Those that the others link. The server's state and the API's reference are pages of their own. */
const linked = {
  help: names.help,
  status: 'Status',
  docs: 'API Docs',
  integrations: names.integrations,
  about: names.about,
  contact: names.contact,
}

const link = (href: string, words: string) =>
  `<a href="${escapeHtml(href)}">${escapeHtml(words)}</a>`

const section = (title: string, ...lines: string[]) =>
  [`<h2>${title}</h2>`, ...lines.map((line) => `<p>${line}</p>`)].join('\n')

const list = (items: string[]) => `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`

/** A page with links to the others below it. */
export function sitePage(title: string, ...parts: string[]): string {
  const others = Object.entries(linked).map(([page, words]) => link(`/api/${page}`, words))
  const nav = `<nav aria-label="More">${[link('/', 'Home'), ...others].join('')}</nav>`
  return plainPage(title, [...parts, nav].join('\n'), { isLong: true })
}

/** Draws each page for a server with these settings. */
export function drawSitePages(site: Site): Record<SitePage, string> {
  const draw: Record<SitePage, (site: Site) => string[]> = {
    help,
    integrations,
    about,
    contact,
    privacy,
    terms,
    blog: ({ blogUrl }) => elsewhere('The blog is', blogUrl, 'This server has no blog.'),
    careers: ({ careersUrl }) =>
      elsewhere('Open positions are', careersUrl, 'This server lists no open positions.'),
  }
  const drawn = sitePages.map((page) => [page, sitePage(names[page], ...draw[page](site))])
  return Object.fromEntries(drawn)
}

const elsewhere = (what: string, url: string | undefined, without: string) => [
  `<p>${url ? `${what} at ${link(url, url)}.` : without}</p>`,
]

function help(site: Site): string[] {
  return [
    section(
      'Make a code and print it',
      'Sign in and choose “Create New QR Code”. Give it a name and the page that it leads to, choose a style and colours, and save it. Then download it: SVG and PDF stay sharp at any size, PNG and JPG are for screens and office programs.',
      'Beside the picture stands whether scanners can read it. Print a test and scan it before you print many.',
    ),
    section(
      'Give your codes one look',
      '“Save this style” in the form of a code keeps its look under a name. Choose “Use for new codes” from its menu, and new codes begin with it. To change codes that you have, tick them in the list and press “Use a style”. What is printed keeps working.',
    ),
    section(
      'Print many codes on labels',
      'Tick the codes in the list and press “Print labels”. Choose plain paper to cut, a sheet of labels by its number, or sizes of your own in millimetres. Beside the fields you see the first sheet, and how far away its codes can be read. The words below each code can be its name, its short link, or a column from your spreadsheet.',
      'Print at 100 %, and try one sheet of plain paper first: hold it against the labels and a light. On a sheet that you have begun, say which label is the first free one.',
    ),
    section(
      'Find your codes again',
      'Give codes tags, such as the campaign or the place that they belong to: in the form of a code, or to many at once with “Change tags”. Above the list you choose a tag and see its codes. “Tags” renames, colours and deletes them, and the analytics of all codes say how often the codes of each tag were scanned.',
    ),
    section(
      'Bring many codes at once',
      `“Import”, above your list, reads a CSV file with up to ${IMPORT_ROWS_MAX.toLocaleString('en-US')} rows: one for each code, with its name and the page that it leads to. A custom URL and tags are optional. The template there shows the columns, and any spreadsheet program saves such files. You see what is wrong with each row before anything is made, and then all codes are made, or none.`,
      'Exports of Bitly, Shlink, Kutt and YOURLS are read as they are. Each link keeps the end of its address where it is free here and your plan has custom URLs; what is printed still leads to the address of the other service.',
      'A file that you do not use is forgotten after a day. The codes that came out of one stay, and for a week you can download all of their pictures as one zip.',
    ),
    section(
      'Take your list along',
      '“Export” saves the codes that the list shows as a CSV file: short link, destination, name, custom URL, tags, scans, visitors, day and status. Filter the list first, or tick some codes and press “Export as CSV”. The import reads this file, too.',
    ),
    section(
      'Put your logo in the middle',
      'On a paid plan, open a code and then “Logo”. Upload a PNG, JPG, SVG or WebP file of at most 2 MB. You can use it again in other codes. In an SVG, turn texts into outlines first: this server does not have your fonts.',
      'A logo covers a part of the code. Scanners can repair only so much, and dirt and scratches need some of that, too. So every code has a largest size for its logo, and the slider ends there. Error correction rises to High by itself, which makes the most room.',
      'A logo that one of your codes has cannot be deleted, so that no printed code changes.',
    ),
    section(
      'Change where it leads',
      'Click the name of a code, type the new destination and save. The printed code stays as it is: the next scan already leads to the new page.',
      'Where your website counts visits by campaign, open “Campaign parameters” below the destination: what you type there becomes part of the link.',
    ),
    section(
      'What ends, and what stays',
      `A code that is made on the free plan stops working ${FREE_EXPIRY_DAYS} days after it is first saved. Its date stands beside it. When you upgrade, your codes no longer expire, and those that had stopped work again.`,
      'A code that was made on a paid plan keeps working when the plan ends. You can still change where it leads. New codes are limited as on the free plan.',
      'A deleted code stops at once. It stays in the bin for 30 days, and you can restore it from there.',
    ),
    section(
      'What is counted',
      'Each visit by a person is one scan. Link previews, search engines and other programs that open the link are not in the numbers.',
      'On a paid plan the figures can also come by mail, each week or each month: choose it in your account settings, under “Notices”.',
      'On a paid plan you can also share one code’s analytics by a link: open its analytics, then “Save and share”. Everybody who has the link sees the figures and cannot change anything, until the day that you choose. You can stop it at any time.',
    ),
    section(
      'A code does not scan',
      'Keep the empty margin around it, print it at least 2 cm wide, and use dark modules on a light ground. If it scans but the page does not open, put a + after its short link: you see where it leads.',
    ),
    section(
      'Your account',
      'Name, e-mail, password, a second step and signed-in devices are in your profile, under “Account settings”. There, “Take my links with me” gives you everything that you have here in one zip.',
    ),
    section('Ask a person', person(site)),
  ]
}

/** The address for questions, if the operator has set one. */
function person({ supportEmail }: Site): string {
  return supportEmail
    ? `Write to ${link(`mailto:${supportEmail}`, supportEmail)}.`
    : 'The operator of this server has named no support address. Ask the person or company that gave you the address of this site.'
}

function contact(site: Site): string[] {
  return [`<p>${person(site)}</p>`]
}

function about({ publicUrl, demo }: Site): string[] {
  return [
    '<p>Tessera makes dynamic QR codes. You print a code once, change where it leads as often as you like, and see how often it is scanned.</p>',
    section(
      'What we care about',
      'A printed code must not die by surprise: what redirects a scan knows nothing of plans and payments.',
      'No scan is lost: each one is on disk before its visitor is sent on.',
      'A code that cannot be scanned must not be a surprise: every picture is read by decoders before it is printed.',
    ),
    section(
      'This server',
      `It runs at ${link(publicUrl, new URL(publicUrl).host)}.${demo === 'on' ? ' It has a live demo: the start page leads to it.' : ''} Tessera is free software under the MIT licence, and anybody can run a server of their own.`,
    ),
  ]
}

/** A program to copy, below its words. */
const recipe = (title: string, words: string, program: string) =>
  `${section(title, words)}\n<pre tabindex="0" role="region" aria-label="${title}">${escapeHtml(program)}</pre>`

function integrations({ publicUrl, provider, billing }: Site): string[] {
  const keys = link('/profile?settings=keys', 'Account settings → API keys')
  const webhooks = link('/profile?settings=webhooks', 'Account settings → Webhooks')
  return [
    `<p>Tessera works together with your other programs, in both directions: they call Tessera by its ${link('/api/docs', 'API')}, and Tessera calls them by webhooks. API keys and webhooks are part of the Unlimited plan.</p>`,
    section(
      'Zapier, Make and n8n: when a code is scanned or changed',
      'In Zapier begin with “Webhooks by Zapier” and “Catch Hook”, in Make with “Custom webhook”, in n8n with the node “Webhook” and the method POST. Each of them gives you an address.',
      `Add that address in ${webhooks}, choose the events, and press “Send a test”. From then on it gets each event as JSON: <code>type</code>, <code>timestamp</code> and <code>data</code>.`,
      'Everybody who knows that address could send something to it. Where it matters, check the signature: the reference says how.',
    ),
    recipe(
      'n8n, Make and others: make a code',
      `Use their node for HTTP requests. Make a key in ${keys}, and send it as a header. In n8n it is a credential of the kind “Header Auth”.`,
      [
        `POST ${publicUrl}/api/qr-codes`,
        'Authorization: Bearer tsk_…',
        'Content-Type: application/json',
        '',
        '{"name": "Menu", "url": "https://example.com/menu"}',
      ].join('\n'),
    ),
    recipe(
      'Google Sheets: scans in a sheet',
      `Open “Extensions → Apps Script”, paste this with a key that may only read, and run it. A trigger by time keeps the sheet up to date. Excel and Numbers open the same file: download it in the analytics, with “Save and share”.`,
      [
        'function loadScans() {',
        `  const answer = UrlFetchApp.fetch('${publicUrl}/api/analytics/scans.csv?range=30d', {`,
        "    headers: { Authorization: 'Bearer tsk_…' },",
        '  })',
        '  const rows = Utilities.parseCsv(answer.getContentText())',
        '  const sheet = SpreadsheetApp.getActiveSheet()',
        '  sheet.clearContents().getRange(1, 1, rows.length, rows[0].length).setValues(rows)',
        '}',
      ].join('\n'),
    ),
    section(
      'AI agents: ask and act in words',
      `Agents that speak MCP (Model Context Protocol) work with your codes at <code>${escapeHtml(publicUrl)}/api/mcp</code>, with an API key: they list, make, change and draw codes, check whether they scan, and read the figures. With a key that may only read they change nothing. ${keys} has what to copy.`,
    ),
    section(
      'Other services and spreadsheets: bring your codes',
      '“Import”, above your list, reads a CSV file, and the exports of Bitly, Shlink, Kutt and YOURLS. Their paths are kept where they are free. “Export” saves the list with its scans.',
    ),
    section('Also on this server'),
    list([
      'Print and design: SVG, PDF and EPS with plain paths, PNG and JPG, with the size in millimetres.',
      'Your own web server: “Take my links with me” has all links as redirects for nginx, Caddy, Netlify, or a table.',
      provider
        ? `Sign-in by ${escapeHtml(provider.name)}, with OpenID Connect.`
        : 'Sign-in by OpenID Connect, which this server has not set up.',
      billing === 'stripe'
        ? 'Payments by Stripe.'
        : 'Payments by Stripe, which this server has not set up.',
      'Monitoring by Prometheus, for operators.',
    ]),
  ]
}

function privacy({ privacyUrl, scanRetention, geoipDatabases, geoHeaders }: Site): string[] {
  if (privacyUrl) return [`<p>The policy is at ${link(privacyUrl, privacyUrl)}.</p>`]
  const place = geoipDatabases.length > 0 || geoHeaders ? 'country, region and city' : 'country'
  const kept = scanRetention
    ? `Single scans are deleted after ${scanRetention === 1 ? 'a month' : `${scanRetention} months`}; the numbers stay.`
    : 'Single scans are kept without an end.'
  return [
    '<p>The operator of this server has published no policy of their own. This is what the software itself stores.</p>',
    section(
      'Who scans a code',
      `The time, the ${place} where they can be told from the address, the kind of device, system, browser and language, and the site that they came from. The address itself is not stored: a number made from it with a key that is deleted each day tells first from repeated scans. ${kept}`,
    ),
    section(
      'Who has an account',
      'Name, e-mail address, a hash of the password, the codes and their destinations, and for each signed-in device its address and browser. Deleting the account deletes all of it; “Take my links with me” in the settings downloads it.',
    ),
    section(
      'Cookies',
      'Only those for signing in. No page loads anything of an advertiser or of an analytics service.',
    ),
  ]
}

function terms({ termsUrl }: Site): string[] {
  if (termsUrl) return [`<p>The terms are at ${link(termsUrl, termsUrl)}.</p>`]
  return [
    '<p>The operator of this server has published no terms of service.</p>',
    section(
      'What the software does for everybody',
      `The free plan has ${plans.free.codeLimit} codes, each for ${FREE_EXPIRY_DAYS} days. Codes that were made on a paid plan keep working when the plan ends. You can take all of your links with you at any time.`,
    ),
  ]
}
