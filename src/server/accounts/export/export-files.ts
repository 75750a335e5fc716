import { statusOf } from '#contract/codes/code-values.ts'
import { type BinnedCode, designCell, type QrCode } from '#contract/codes/codes.ts'
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { safeFileStem } from '#contract/file-names.ts'
import type { Domain } from '#contract/integrations/domains.ts'
import { linkOrigin, shortLink } from '#contract/links.ts'
import { IMAGE_SIZE } from '#contract/pictures/pictures.ts'
import type { PrintProof } from '#contract/pictures/scan-checks.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { FormerPath } from '../../codes/types.ts'
import type { WorkspaceId } from '../../database/ids.ts'
import type { InTurn } from '../../http/queue/request-queue.ts'
import type { Asker } from '../../pictures/drawing-pool.ts'
import type { Picture } from '../../pictures/pictures.ts'
import type { ZipFile } from '../../pictures/zip-stream.ts'
import {
  caddyfile,
  type LinkHost,
  nginxMap,
  type RedirectFormat,
  redirectsFile,
} from './redirect-formats.ts'

/** A code in the export of its account */
export type ExportedCode = {
  code: QrCode
  /** The id of its domain */
  domainId: string | null
  formerPaths: FormerPath[]
  printChecks: PrintProof[]
  design: Design
}

/** A logo, and the name of the file that it came in */
export type ExportedLogo = { id: string; name: string }

/** Persons' scans of a UTC day, such as 2026-11-22 */
type DayScans = { date: string; scans: number }

/** An account's data in the other rooms */
export type ExportSources = {
  codeCount: (workspaceId: WorkspaceId) => Promise<number>
  /** The next codes of the list, after this one */
  codesAfter: (workspaceId: WorkspaceId, last: ExportedCode | undefined) => Promise<ExportedCode[]>
  binned: (workspaceId: WorkspaceId) => Promise<BinnedCode[]>
  stylesOf: (workspaceId: WorkspaceId) => Promise<unknown[]>
  importsOf: (workspaceId: WorkspaceId) => Promise<unknown[]>
  tagsOf: (workspaceId: WorkspaceId) => Promise<unknown[]>
  logosOf: (workspaceId: WorkspaceId) => Promise<ExportedLogo[]>
  /** A logo's PNG; undefined if it has been deleted since */
  logoFile: (id: string) => Promise<Uint8Array | undefined>
  domainsOf: (workspaceId: WorkspaceId) => Promise<Domain[]>
  /** The scans of these codes by id, a single number each */
  scansOf: (workspaceId: WorkspaceId, codeIds: string[]) => Promise<Map<string, number[]>>
  scansByDay: (workspaceId: WorkspaceId, codeId: string) => Promise<DayScans[]>
  planOf: (workspaceId: WorkspaceId) => Promise<unknown>
  /** How often the account is mailed its figures */
  figureMailsOf: (workspaceId: WorkspaceId) => Promise<string>
  draw: (picture: Picture, asker: Asker) => Promise<{ bytes: Uint8Array }>
  inListTurn: InTurn
}

/** One export: its account, and how its parts are read */
export type Export = {
  workspaceId: WorkspaceId
  publicUrl: string
  now: Date
  logos: readonly ExportedLogo[]
  domains: readonly Domain[]
  sources: ExportSources
  account: () => Promise<unknown>
  history: () => Promise<unknown[]>
  /** Reads in the account's turn, unless the client has hung up. */
  inTurn: <T>(read: () => Promise<T>) => Promise<T>
  asker: Asker
}

const ITEMS_AT_ONCE = 100

const FORMATS = ['png', 'svg'] as const
/** Codes with pictures: a ZIP without extensions has at most 65,535 files. */
const PICTURED_MAX = 32_000

const REDIRECT_FORMATS = [nginxMap, caddyfile, redirectsFile]
const FILES_BESIDE_PICTURES = 2 + REDIRECT_FORMATS.length + 10

const provenOf = (domains: readonly Domain[]) => domains.filter(({ isProven }) => isProven)

/** The number of files in the archive of an account. */
export function fileCount(codes: number, { logos, domains }: Pick<Export, 'logos' | 'domains'>) {
  const redirects = REDIRECT_FORMATS.length * provenOf(domains).length
  const pictures = FORMATS.length * Math.min(codes, PICTURED_MAX)
  return FILES_BESIDE_PICTURES + redirects + logos.length + pictures
}

/** The files of 'Take my links with me', one after the other. */
export async function* exportFiles(whole: Export): AsyncGenerator<ZipFile> {
  const { workspaceId, sources, inTurn } = whole
  const listOf = async (read: (workspaceId: WorkspaceId) => Promise<unknown[]>) =>
    jsonList(await inTurn(() => read(workspaceId)))
  yield { name: 'README.txt', whole: Buffer.from(readme(whole)), isPacked: false }
  yield { name: 'links.csv', parts: linkTable(whole) }
  yield* redirectFiles(whole)
  yield { name: 'data/account.json', parts: json(whole.account) }
  yield { name: 'data/plan.json', parts: json(() => sources.planOf(workspaceId)) }
  yield { name: 'data/codes.json', parts: jsonList(codesWithDetails(whole)) }
  yield { name: 'data/deleted-codes.json', parts: await listOf(sources.binned) }
  yield { name: 'data/styles.json', parts: await listOf(sources.stylesOf) }
  yield { name: 'data/domains.json', parts: jsonList(whole.domains) }
  yield { name: 'data/imports.json', parts: await listOf(sources.importsOf) }
  yield { name: 'data/tags.json', parts: await listOf(sources.tagsOf) }
  yield { name: 'data/scans-by-day.json', parts: jsonList(scansOfCodes(whole)) }
  yield { name: 'data/history.json', parts: await listOf(whole.history) }
  yield* logoFiles(whole)
  yield* pictures(whole)
}

async function* pagesOf({ workspaceId, sources, inTurn }: Export): AsyncGenerator<ExportedCode[]> {
  let last: ExportedCode | undefined
  for (;;) {
    const page = await inTurn(() => sources.codesAfter(workspaceId, last))
    last = page.at(-1)
    if (!last) return
    yield page
  }
}

const COLUMNS = [
  'Short link',
  'Custom URL',
  'Former custom URLs',
  'Destination',
  'Name',
  'Scans',
  'Created',
  'Status',
  'Tags',
  'External ID',
  'Design',
]

async function* linkTable(whole: Export): AsyncGenerator<string> {
  const { publicUrl, now, domains, sources, inTurn } = whole
  const hosts = new Map<string | null, string | null>([[null, null]])
  for (const { id, host } of provenOf(domains)) hosts.set(id, host)
  yield BYTE_ORDER_MARK + csvLine(COLUMNS)
  for await (const page of pagesOf(whole)) {
    const ids = page.map(({ code }) => code.id)
    const scans = await inTurn(() => sources.scansOf(whole.workspaceId, ids))
    const lines = page.map(({ code, formerPaths }) => {
      const link = (name: string) => shortLink(name, code.domain, publicUrl)
      return csvLine([
        link(code.shortCode),
        code.vanityUrl === null ? '' : link(code.vanityUrl),
        formerPaths
          .flatMap(({ name, domainId }) => {
            const host = hosts.get(domainId)
            // Names on a domain that another account has now do not lead.
            return host === undefined ? [] : shortLink(name, host, publicUrl)
          })
          .join(' '),
        code.url,
        code.name,
        scans.get(code.id)?.[0] ?? 0,
        code.createdAt,
        statusOf(code, now),
        code.tags.join(', '),
        code.externalId ?? '',
        designCell(code),
      ])
    })
    yield lines.join('')
  }
}

/** The redirects of each host on which the account's names lead */
function* redirectFiles(whole: Export): Generator<ZipFile> {
  const { publicUrl, domains } = whole
  const ours = { folder: '', domainId: null, host: { origin: publicUrl } }
  const theirs = provenOf(domains).map(({ id, host }, at) => ({
    folder: `domains/${host}/`,
    domainId: id,
    host: { origin: linkOrigin(host, publicUrl), domain: at + 1 } satisfies LinkHost,
  }))
  for (const { folder, domainId, host } of [ours, ...theirs]) {
    for (const formatFor of REDIRECT_FORMATS) {
      const format = formatFor(host)
      yield { name: folder + format.fileName, parts: redirects(whole, format, domainId) }
    }
  }
}

async function* redirects(whole: Export, format: RedirectFormat, host: string | null) {
  yield format.head
  for await (const page of pagesOf(whole)) {
    const working = page.filter(({ code }) => code.isActive)
    yield working
      .map(({ code, domainId, formerPaths }) => {
        const own = code.vanityUrl === null || domainId !== host ? [] : [code.vanityUrl]
        const former = formerPaths.filter((each) => each.domainId === host).map(({ name }) => name)
        const note = noteOf(code)
        if (code.hasPassword) return note
        // A short code leads on every host of its owner.
        return note + format.lines({ names: [...own, ...former, code.shortCode], url: code.url })
      })
      .join('')
  }
  yield format.tail
}

/** A comment, in all three formats, about what a file of redirects cannot do. */
function noteOf({ shortCode, hasPassword, rules }: QrCode): string {
  if (hasPassword) return `# /qr/${shortCode} asks for a password, so it is left out.\n`
  return rules.length > 0 ? `# /qr/${shortCode} has rules, which are left out:\n` : ''
}

async function* json(read: () => Promise<unknown>): AsyncGenerator<string> {
  yield `${JSON.stringify(await read(), null, 2)}\n`
}

/** A list as JSON, a hundred items at a time. */
async function* jsonList(items: Iterable<unknown> | AsyncIterable<unknown>) {
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

async function* codesOf(whole: Export): AsyncGenerator<ExportedCode> {
  for await (const page of pagesOf(whole)) yield* page
}

async function* codesWithDetails(whole: Export) {
  for await (const { code, formerPaths, printChecks } of codesOf(whole)) {
    yield { ...code, formerPaths: formerPaths.map(({ name }) => name), printChecks }
  }
}

async function* scansOfCodes(whole: Export) {
  for await (const { code } of codesOf(whole)) {
    const { id, shortCode } = code
    const days = await whole.inTurn(() => whole.sources.scansByDay(whole.workspaceId, id))
    yield { id, shortCode, days }
  }
}

async function* logoFiles({ logos, sources, inTurn }: Export): AsyncGenerator<ZipFile> {
  for (const { id, name } of logos) {
    const whole = await inTurn(() => sources.logoFile(id))
    const stem = safeFileStem(name.replace(/\.\w{3,4}$/, ''))
    // Part of its id makes the name unique.
    if (whole) yield { name: `logos/${stem} (${id.slice(0, 8)}).png`, whole, isPacked: true }
  }
}

async function* pictures(whole: Export): AsyncGenerator<ZipFile> {
  let pictured = 0
  for await (const { code, design } of codesOf(whole)) {
    if (pictured++ >= PICTURED_MAX) return
    // The short code makes the name unique, whatever a file system makes of the code's name.
    const stem = `${safeFileStem(code.name)} (${code.shortCode})`
    for (const format of FORMATS) {
      const picture = { ...design, format, size: IMAGE_SIZE.default }
      const { bytes } = await whole.sources.draw(picture, whole.asker)
      yield { name: `pictures/${stem}.${format}`, whole: bytes, isPacked: format === 'png' }
    }
  }
}

function readme({ publicUrl, now, domains }: Export): string {
  const own =
    provenOf(domains).length === 0
      ? ''
      : 'domains/           the same three files for each of your own domains\n'
  return `Your QR codes from ${publicUrl}, as of ${now.toISOString()}

links.csv          every link with its destination, for spreadsheets
nginx-map.conf     the redirects for nginx
Caddyfile          the redirects for Caddy
_redirects         the redirects for Netlify and Cloudflare Pages
${own}pictures/          every code as PNG and SVG
logos/             every logo that you have here, as PNG
data/              your account, plan, codes, deleted codes, styles, domains, imports, tags, scans by day (UTC) and history as JSON

The redirect files are of use where the host in your links is yours: point it to your own server,
give that server one of the files, and what is printed keeps working.
`
}
