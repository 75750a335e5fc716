import { randomBytes } from 'node:crypto'
import { plans, UNLIMITED } from '#contract/billing/plans.ts'
import type { NewRule, Rule } from '#contract/codes/code-rules.ts'
import { BIN_DAYS, LIST_MAX } from '#contract/codes/code-values.ts'
import { type CodeChange, vanityUrl } from '#contract/codes/codes.ts'
import { errorTable } from '#contract/errors.ts'
import { type ArtworkChange, changedArtwork } from '#contract/pictures/artwork.ts'
import type { LookFields } from '#contract/pictures/pictures.ts'
import { DAY_MS } from '#contract/time.ts'
import type { Artwork } from '#qr/artwork/artwork.ts'
import type { Entitlements } from '../billing/types.ts'
import { AppError, invalidInput, refusedAt } from '../http/errors.ts'
import type { CodeRow } from './codes-store.ts'
import type { HashedChange } from './types.ts'

/** A draft that is not saved is removed after this time. */
export const DRAFT_LIFE_MS = DAY_MS
/** Open drafts an account can have. */
export const DRAFTS_MAX = 10
/** How long a deleted code can be restored. */
export const TRASH_LIFE_MS = BIN_DAYS * DAY_MS
/** Codes that an account's trash keeps: as many as its list shows. */
export const TRASH_MAX = LIST_MAX
/** Former custom paths of a code, all of which keep working. */
export const FORMER_PATHS_MAX = 20

/** The refusal of one more code, with a remedy */
export function planLimitReached({ tier, codeLimit }: Entitlements): AppError {
  const { name } = plans[tier]
  if (codeLimit === 0) {
    return new AppError('plan_limit_reached', 'This workspace needs a paid plan for new QR codes.')
  }
  return new AppError(
    'plan_limit_reached',
    `Your ${name} plan includes ${codeLimit} QR codes and all of them are in use. ` +
      'Delete a QR code or upgrade your plan to create another.',
  )
}

function codesLeft(limit: number, used: number): string {
  const left = Math.max(0, limit - used)
  return left === 0 ? 'all of them are in use' : `you can create ${inEnglish(left)} more`
}

const inEnglish = (count: number) => count.toLocaleString('en-US')
const codesIn = (count: number) => (count === 1 ? '1 QR code' : `${inEnglish(count)} QR codes`)

/** Most codes that an account may have after an import: as many as its list shows, or fewer if its plan has fewer. */
export const importLimit = ({ codeLimit }: Entitlements) =>
  codeLimit === UNLIMITED ? LIST_MAX : Math.min(codeLimit, LIST_MAX)

/** The refusal of a series or file with more codes than the account has room for */
export function tooManyCodes(
  what: 'series' | 'file',
  { tier, codeLimit }: Entitlements,
  { used, wanted, limit }: { used: number; wanted: number; limit: number },
): AppError {
  const isOfPlan = limit === codeLimit
  const most = isOfPlan ? `Your ${plans[tier].name} plan includes` : 'An account can import up to'
  const remedy = isOfPlan ? 'Shorten it or upgrade your plan.' : 'Shorten it.'
  return new AppError(
    'plan_limit_reached',
    `${most} ${inEnglish(limit)} QR codes, and ${codesLeft(limit, used)}. ` +
      `This ${what} has ${codesIn(wanted)}. ${remedy}`,
  )
}

/** The refusal of one more draft a day; `when` is when the account can make more. */
export const formsUsedUp = (when: string) =>
  `You’ve opened the form for a new QR code too many times today. You can open it again ${when}.`

/** The refusal of more new names a day than are left; `when` is when the account can make more. */
export const namesOver = {
  code: 'daily_limit_reached',
  message: (when: string, left: number) =>
    left > 0
      ? `Your account can create ${moreNames(left)} now, and more ${when}.`
      : `${errorTable.daily_limit_reached.message} They all keep working, and you can create more ${when}.`,
} as const

const moreNames = (count: number) =>
  count === 1 ? '1 more QR code or custom URL' : `${inEnglish(count)} more QR codes and custom URLs`

/** The limit on names of a day that counts those of a plan */
export const namesLimit = ({ tier }: Entitlements) =>
  tier === 'free' ? 'free-names' : 'paid-names'

export function hasFreeSlot({ codeLimit }: Entitlements, used: number): boolean {
  return codeLimit === UNLIMITED || used < codeLimit
}

/** When a code that is first saved at `now` stops working; null on a plan without expiry. */
export function expiryOf({ expiryDays }: Entitlements, now: Date): number | null {
  return expiryDays === null ? null : now.getTime() + expiryDays * DAY_MS
}

/** A custom path by the rules of this server. @throws AppError invalid_input */
function standardPath(typed: string | null): string | null {
  const { data = null, error } = vanityUrl.safeParse(typed)
  if (error) {
    throw invalidInput([{ path: 'vanityUrl', message: error.issues[0]?.message ?? '' }])
  }
  return data
}

/**
 * The custom path after a change. On its domain a code keeps one that an import brought from another service. The
 * rules of a path answer before the plan, so that each plan hears the same words.
 * @throws AppError custom_path_not_in_plan, invalid_input
 */
export function wantedPath(
  { vanityUrl: asked }: Pick<CodeChange, 'vanityUrl'>,
  { vanity_url: current, domain }: Pick<CodeRow, 'vanity_url' | 'domain'>,
  { customPaths }: Pick<Entitlements, 'customPaths'>,
): string | null {
  if (asked === undefined || asked?.toLowerCase() === current?.toLowerCase()) {
    return domain === null ? standardPath(current) : current
  }
  const wanted = standardPath(asked)
  if (customPaths) return wanted
  // The form's disabled field may send an empty path, which must not remove a printed one.
  if (wanted === null) return current
  throw refusedAt('custom_path_not_in_plan', 'vanityUrl')
}

/**
 * The artwork after a change, as it is stored. A plan without artwork keeps what a code has, and
 * can take it away.
 * @throws AppError artwork_not_in_plan
 */
export function wantedArtwork(
  change: { artwork?: Artwork | null | undefined },
  current: string | null,
  { hasArtwork }: Pick<Entitlements, 'hasArtwork'>,
): string | null {
  if (change.artwork === undefined) return current
  const wanted = change.artwork && JSON.stringify(change.artwork)
  if (wanted === current || wanted === null || hasArtwork) return wanted
  throw refusedAt('artwork_not_in_plan', 'artwork')
}

/** The whole artwork that a change of some of its parts gives. @throws AppError invalid_input */
export function mergedArtwork(current: string | null, change: ArtworkChange): Artwork | null {
  const { data = null, error } = changedArtwork(current && JSON.parse(current), change)
  if (!error) return data
  throw invalidInput(
    error.issues.map(({ path, message }) => ({ path: ['artwork', ...path].join('.'), message })),
  )
}

const NAME_SHOWN = 60

/** A code's name as a refusal says it. */
export const shownName = (name: string) =>
  name.length > NAME_SHOWN ? `${name.slice(0, NAME_SHOWN).toWellFormed()}…` : name

/** The columns that decide what a code's picture looks like. */
export const lookColumns = [
  'domain',
  'vanity_url',
  'style',
  'foreground_color',
  'background_color',
  'ecc',
  'compact',
  'artwork',
] as const

/** A look as the columns of a code. */
export function columnsOf(look: LookFields) {
  return {
    style: look.style,
    foreground_color: look.foregroundColor,
    background_color: look.backgroundColor,
    ecc: look.ecc,
    compact: Number(look.compact),
    artwork: look.artwork && JSON.stringify(look.artwork),
  }
}

/** A change with the whole artwork that the code will have */
export type WholeChange = Omit<HashedChange, 'artwork'> & { artwork?: Artwork | null | undefined }

/**
 * A code's row after a change. A verdict belongs to one picture: a new look removes it.
 * @throws AppError custom_path_not_in_plan, artwork_not_in_plan, rules_not_in_plan, invalid_input
 */
export function rowAfter(
  row: CodeRow,
  change: WholeChange,
  plan: Entitlements,
  now: Date,
): CodeRow {
  const after: CodeRow = {
    ...row,
    name: change.name ?? row.name,
    url: change.url ?? row.url,
    vanity_url: wantedPath(change, row, plan),
    style: change.style ?? row.style,
    foreground_color: change.foregroundColor ?? row.foreground_color,
    background_color: change.backgroundColor ?? row.background_color,
    ecc: change.ecc ?? row.ecc,
    compact: flagAfter(row.compact, change.compact),
    artwork: wantedArtwork(change, row.artwork, plan),
    paused_at: pausedAt(row, change, now),
    external_id: change.externalId === undefined ? row.external_id : change.externalId,
    ...courseAfter(row, change, plan),
    password: change.passwordHash === undefined ? row.password : change.passwordHash,
  }
  if (change.fallbackWhenDead && after.fallback_url === null) {
    throw invalidInput([{ path: 'fallbackWhenDead', message: 'Needs a fallback' }])
  }
  if (after.starts_at !== null && after.ends_at !== null && after.starts_at >= after.ends_at) {
    throw invalidInput([{ path: 'endsAt', message: 'Ends before it starts' }])
  }
  // The finding is about the former destination.
  if (after.url !== row.url || after.checks_destination === 0) Object.assign(after, UNKNOWN_HEALTH)
  const hasSameLook = lookColumns.every((column) => after[column] === row[column])
  return hasSameLook ? after : { ...after, legibility: null, legibility_of: null }
}

/** Where and when a code leads after a change, beside its destination. @throws AppError rules_not_in_plan */
export function courseAfter(
  row: CodeRow,
  change: Omit<WholeChange, 'artwork'>,
  plan: Entitlements,
) {
  const { scanLimit = row.scan_limit, fallbackUrl = row.fallback_url } = change
  const whenDead = flagAfter(row.fallback_when_dead, change.fallbackWhenDead)
  return {
    pass_query: flagAfter(row.pass_query, change.passQuery),
    starts_at: instantAfter(row.starts_at, change.startsAt),
    ends_at: instantAfter(row.ends_at, change.endsAt),
    scan_limit: scanLimit,
    fallback_url: fallbackUrl,
    rules: wantedRules(change, row.rules, plan),
    checks_destination: flagAfter(row.checks_destination, change.checksDestination),
    fallback_when_dead: fallbackUrl === null ? 0 : whenDead,
  }
}

/** The columns of a code whose destination was not checked */
export const UNKNOWN_HEALTH = { health: null, health_since: null, health_seen: null }

const flagAfter = (current: number, asked: boolean | undefined) =>
  asked === undefined ? current : Number(asked)

const instantAfter = (current: number | null, asked: string | null | undefined) =>
  asked ? Date.parse(asked) : asked === null ? null : current

/**
 * The rules after a change, as they are stored. A plan without rules keeps those that a code has, and can take some away.
 * @throws AppError rules_not_in_plan
 */
function wantedRules(
  { rules }: Pick<CodeChange, 'rules'>,
  current: string | null,
  { hasRules }: Entitlements,
): string | null {
  if (rules === undefined) return current
  const before: Rule[] = current === null ? [] : JSON.parse(current)
  const named = withIds(rules, before)
  const known = new Set(before.map((rule) => JSON.stringify(rule)))
  if (hasRules || named.every((rule) => known.has(JSON.stringify(rule)))) {
    return named.length === 0 ? null : JSON.stringify(named)
  }
  throw refusedAt('rules_not_in_plan', 'rules')
}

/** Rules whose variants all have an id: one without gets that of the same place and address, or else a new one. */
export function withIds(rules: readonly NewRule[], current: readonly Rule[]): Rule[] {
  const sent = new Set(rules.flatMap(({ variants }) => variants.map(({ id }) => id)))
  return rules.map((rule, at) => ({
    ...rule,
    variants: rule.variants.map(({ id, ...variant }, place) => {
      const known = current[at]?.variants[place]
      const isSame = known?.url === variant.url && !sent.has(known.id)
      return { id: id ?? (isSame ? known.id : randomBytes(4).toString('hex')), ...variant }
    }),
  }))
}

/** Whether each scan of a code needs its number */
export const isCounted = ({ scan_limit, rules }: Pick<CodeRow, 'scan_limit' | 'rules'>) =>
  scan_limit !== null || rules?.includes('"scans":') === true

function pausedAt({ paused_at }: CodeRow, { isActive }: WholeChange, now: Date): number | null {
  if (isActive === undefined) return paused_at
  return isActive ? null : (paused_at ?? now.getTime())
}

type Destinations = Pick<CodeChange, 'url' | 'fallbackUrl' | 'rules'>

/** The destinations that are short links of our own, with which a code could lead to itself. */
export function ownLinksIn({ url, fallbackUrl, rules = [] }: Destinations, publicUrl: string) {
  const ruled = rules.flatMap(({ variants }, rule) =>
    variants.map((variant, at) => [`rules.${rule}.variants.${at}.url`, variant.url] as const),
  )
  const all = [['url', url] as const, ['fallbackUrl', fallbackUrl] as const, ...ruled]
  const own = all.filter(([, address]) => address && isOwnLink(address, publicUrl))
  return own.map(([path]) => ({ path, message: OWN_LINK }))
}

/** Refuses our own short links as destinations. @throws AppError invalid_input */
export function refuseOwnLinks(change: Destinations, publicUrl: string): void {
  const issues = ownLinksIn(change, publicUrl)
  if (issues.length > 0) throw invalidInput(issues)
}

/** The refusal of such a destination */
export const OWN_LINK = 'This is one of our own short links. Enter the page it should lead to.'

/** Whether a destination (`destinationOf` made it) is a short link of this server, however its address is spelled. */
export function isOwnLink(url: string, publicUrl: string): boolean {
  const { pathname } = new URL(url)
  return hostOf(url) === hostOf(publicUrl) && /^\/qr(\/|$)/i.test(decodedPath(pathname))
}

/** Host and port in one spelling: without the root's dot, one name for loopback, no default port. */
function hostOf(address: string): string {
  const { hostname, port } = new URL(address)
  const name = hostname.replace(/\.$/, '')
  const isLoopback = name === 'localhost' || name === '[::1]' || /^127\./.test(name)
  const isDefaultPort = port === '' || port === '80' || port === '443'
  return `${isLoopback ? 'localhost' : name}:${isDefaultPort ? '' : port}`
}

/**
 * A path as it is meant: decoded, without doubled slashes; as it is if it cannot be decoded. PostgreSQL takes no NUL,
 * and no name has one: the check of inputs saw only its percent signs.
 */
export function decodedPath(pathname: string): string {
  try {
    return decodeURIComponent(pathname).replace(/\/+/g, '/').replaceAll('\0', '\ufffd')
  } catch {
    return pathname
  }
}
