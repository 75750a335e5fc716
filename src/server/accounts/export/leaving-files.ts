import { statusOf } from '#contract/code-values.ts'
import type { BinnedCode, QrCode } from '#contract/codes.ts'
import { BYTE_ORDER_MARK, csvLine } from '#contract/downloads/csv.ts'
import { safeFileStem } from '#contract/downloads/file-names.ts'
import { IMAGE_SIZE } from '#contract/pictures/pictures.ts'
import type { PrintProof } from '#contract/pictures/scan-checks.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { Picture } from '../../pictures/pictures.ts'
import type { ZipFile } from '../../pictures/zip-stream.ts'
import { caddyfile, nginxMap, type RedirectFormat, redirectsFile } from './redirect-formats.ts'

/** A code as its owner takes it along. */
export type LeavingCode = {
  code: QrCode
  formerPaths: string[]
  printChecks: PrintProof[]
  design: Design
}

/** A logo, and the name of the file that it came in. */
export type LeavingLogo = { id: string; name: string }

/** Persons' scans of a UTC day, such as 2026-11-22. */
export type DayScans = { date: string; scans: number }

/** Where the parts of an account's archive come from. Each call waits for the account's turn. */
export type LeavingSource = {
  publicUrl: string
  now: Date
  /** The next codes of the list, after this one */
  codesAfter: (last: LeavingCode | undefined) => Promise<LeavingCode[]>
  binned: () => Promise<BinnedCode[]>
  styles: () => Promise<unknown[]>
  imports: () => Promise<unknown[]>
  tags: () => Promise<unknown[]>
  logos: readonly LeavingLogo[]
  /** A logo's PNG; undefined where it was deleted meanwhile */
  logoFile: (id: string) => Promise<Uint8Array | undefined>
  scansOf: (ids: string[]) => Promise<Map<string, number>>
  scansByDay: (id: string) => Promise<DayScans[]>
  account: () => Promise<unknown>
  plan: () => Promise<unknown>
  history: () => Promise<unknown[]>
  draw: (picture: Picture) => Promise<Uint8Array>
}

const ITEMS_AT_ONCE = 100

const FORMATS = ['png', 'svg'] as const
/** A ZIP without extensions has at most 65,535 files. */
const PICTURED_MAX = 32_000

const REDIRECT_FORMATS = [nginxMap, caddyfile, redirectsFile]
const FILES_BESIDE_PICTURES = 2 + REDIRECT_FORMATS.length + 9

/** How many files the archive of an account with so many codes and logos has. */
export function fileCount(codes: number, logos: number): number {
  return FILES_BESIDE_PICTURES + logos + FORMATS.length * Math.min(codes, PICTURED_MAX)
}

/** The files of 'Take my links with me', one after the other. */
export async function* leavingFiles(source: LeavingSource): AsyncGenerator<ZipFile> {
  yield { name: 'README.txt', whole: Buffer.from(readme(source)), isPacked: false }
  yield { name: 'links.csv', parts: linkTable(source) }
  for (const format of REDIRECT_FORMATS) {
    yield { name: format.fileName, parts: redirects(source, format) }
  }
  yield { name: 'data/account.json', parts: json(source.account) }
  yield { name: 'data/plan.json', parts: json(source.plan) }
  yield { name: 'data/codes.json', parts: codeList(source) }
  yield { name: 'data/deleted-codes.json', parts: jsonList(await source.binned()) }
  yield { name: 'data/styles.json', parts: jsonList(await source.styles()) }
  yield { name: 'data/imports.json', parts: jsonList(await source.imports()) }
  yield { name: 'data/tags.json', parts: jsonList(await source.tags()) }
  yield { name: 'data/scans-by-day.json', parts: scanList(source) }
  yield { name: 'data/history.json', parts: jsonList(await source.history()) }
  yield* logoFiles(source)
  yield* pictures(source)
}

async function* pagesOf({ codesAfter }: LeavingSource): AsyncGenerator<LeavingCode[]> {
  let page = await codesAfter(undefined)
  while (page.length > 0) {
    yield page
    page = await codesAfter(page.at(-1))
  }
}

const COLUMNS = [
  ...['Short link', 'Custom URL', 'Former custom URLs', 'Destination', 'Name', 'Scans'],
  ...['Created', 'Status', 'Tags'],
]

async function* linkTable(source: LeavingSource): AsyncGenerator<string> {
  const { publicUrl, now } = source
  const link = (name: string) => `${publicUrl}/qr/${name}`
  yield BYTE_ORDER_MARK + csvLine(COLUMNS)
  for await (const page of pagesOf(source)) {
    const scans = await source.scansOf(page.map(({ code }) => code.id))
    const lines = page.map(({ code, formerPaths }) =>
      csvLine([
        link(code.shortCode),
        code.vanityUrl === null ? '' : link(code.vanityUrl),
        formerPaths.map(link).join(' '),
        code.url,
        code.name,
        scans.get(code.id) ?? 0,
        code.createdAt,
        statusOf(code, now),
        code.tags.join(', '),
      ]),
    )
    yield lines.join('')
  }
}

async function* redirects(source: LeavingSource, format: RedirectFormat): AsyncGenerator<string> {
  yield format.head(source.publicUrl)
  for await (const page of pagesOf(source)) {
    const working = page.filter(({ code }) => code.isActive)
    yield working
      .map(({ code, formerPaths }) => {
        const own = code.vanityUrl === null ? [] : [code.vanityUrl]
        return format.lines({ names: [code.shortCode, ...own, ...formerPaths], url: code.url })
      })
      .join('')
  }
  yield format.tail
}

async function* json(read: () => Promise<unknown>): AsyncGenerator<string> {
  yield asJson(await read())
}

const asJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/** A list as JSON, a hundred items at a time. */
async function* jsonList(
  items: Iterable<unknown> | AsyncIterable<unknown>,
): AsyncGenerator<string> {
  let before = '[\n'
  let texts: string[] = []
  for await (const item of items) {
    if (texts.push(JSON.stringify(item)) < ITEMS_AT_ONCE) continue
    yield before + texts.join(',\n')
    before = ',\n'
    texts = []
  }
  if (texts.length > 0) yield before + texts.join(',\n')
  yield before === '[\n' && texts.length === 0 ? '[]\n' : '\n]\n'
}

function codeList(source: LeavingSource): AsyncGenerator<string> {
  async function* items() {
    for await (const page of pagesOf(source)) {
      for (const { code, formerPaths, printChecks } of page) {
        yield { ...code, formerPaths, printChecks }
      }
    }
  }
  return jsonList(items())
}

function scanList(source: LeavingSource): AsyncGenerator<string> {
  async function* items() {
    for await (const page of pagesOf(source)) {
      for (const { code } of page) {
        yield { id: code.id, shortCode: code.shortCode, days: await source.scansByDay(code.id) }
      }
    }
  }
  return jsonList(items())
}

async function* logoFiles({ logos, logoFile }: LeavingSource): AsyncGenerator<ZipFile> {
  for (const { id, name } of logos) {
    const whole = await logoFile(id)
    const stem = safeFileStem(name.replace(/\.\w{3,4}$/, ''))
    // Part of its id, which no two logos have alike.
    if (whole) yield { name: `logos/${stem} (${id.slice(0, 8)}).png`, whole, isPacked: true }
  }
}

async function* pictures(source: LeavingSource): AsyncGenerator<ZipFile> {
  let pictured = 0
  for await (const page of pagesOf(source)) {
    for (const { code, design } of page) {
      if (pictured++ >= PICTURED_MAX) return
      // No two codes have the same short code, whatever a file system makes of their names.
      const stem = `${safeFileStem(code.name)} (${code.shortCode})`
      for (const format of FORMATS) {
        const whole = await source.draw({ ...design, format, size: IMAGE_SIZE.default })
        yield { name: `pictures/${stem}.${format}`, whole, isPacked: format === 'png' }
      }
    }
  }
}

function readme({ publicUrl, now }: LeavingSource): string {
  return `Your QR codes from ${publicUrl}, as of ${now.toISOString()}

links.csv          every link with its destination, for spreadsheets
nginx-map.conf     the redirects for nginx
Caddyfile          the redirects for Caddy
_redirects         the redirects for Netlify and Cloudflare Pages
pictures/          every code as PNG and SVG
logos/             every logo that you have here, as PNG
data/              your account, plan, codes, deleted codes, styles, imports, tags, scans by day (UTC) and history as JSON

The redirect files are of use where the host in your links is yours: point it to your own server,
give that server one of the files, and what is printed keeps working.
`
}
