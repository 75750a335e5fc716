import { parse } from 'tldts'
import {
  CODE_TAGS_MAX,
  CONTROL,
  NAME_MAX,
  TAG_NAME_MAX,
  TURNING,
} from '#contract/codes/code-values.ts'
import { design } from '#contract/codes/codes.ts'
import { tagName } from '#contract/codes/tags.ts'
import { textOfCell } from '#contract/csv.ts'
import type { ImportFormat } from '#contract/imports.ts'
import { DAY_MS } from '#contract/time.ts'
import { z } from '#contract/zod.ts'
import { OWN_LINK, ownLinksIn } from '../rules.ts'
import { distinctNames } from '../tags/give-tags.ts'

/* Values in the cells of other services and of spreadsheets. */

/** A value of a cell, and what of the cell is lost. */
export type Kept<Value> = { value: Value; losses: string[] }

const kept = <Value>(value: Value, ...losses: string[]): Kept<Value> => ({ value, losses })

export const meant = (cell: string) => textOfCell(cell.trim())

/** Something with a slash behind a host, or behind `https:`, is a link, of which the path is the end. */
const LINK = /^https?:\/\/|^[^\s/?#](?=[^\s/?#.]*\.[^\s/?#])[^\s/?#]+\//i

/** A custom path as it stands in a cell: by itself, or as the end of a short link. */
export function pathIn(cell: string): string {
  return LINK.test(cell)
    ? (partsOf(cell).slice(1).at(-1) ?? '')
    : cell.replace(/^\/+|(?<!\/)\/+$/g, '')
}

function partsOf(link: string): string[] {
  const [address = ''] = link.replace(/^https?:\/\//i, '').split(/[?#]/)
  return address.split('/').filter(Boolean)
}

/**
 * A path on a domain: all that stands behind the host, or a cell without one. A link on another host leaves none.
 * `/qr/` leads there too.
 */
export function pathOnDomain(cells: readonly string[], host: string): string {
  const hostOf = (cell: string) => partsOf(cell)[0]?.toLowerCase() ?? ''
  // Paths may have dots, too.
  const isLink = (cell: string) =>
    /^https?:/i.test(cell) || (LINK.test(cell) && parse(hostOf(cell)).isIcann === true)
  const link = cells.find((cell) => LINK.test(cell) && hostOf(cell) === host)
  const bare = cells.some(isLink) ? '' : (cells[0] ?? '')
  const path = link ? partsOf(link).slice(1).join('/') : bare
  return path.replace(/^\/*(?:qr\/+)?|(?<!\/)\/+$/gi, '')
}

const DOMAIN_PATH_MAX = 200
/**
 * Another service has made it: it may have one character, capitals, dots, and slashes inside. No browser asks for a
 * part of one or two dots.
 */
export const domainPath = z
  .string()
  .max(DOMAIN_PATH_MAX, `A custom URL on a domain can have at most ${DOMAIN_PATH_MAX} characters`)
  .regex(
    /^(?!robots\.txt$)(?:[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~-]+)*)?$/,
    'A custom URL on a domain can only contain letters, numbers, hyphens, underscores, dots, and slashes',
  )
  .transform((text) => text || null)

const UNUSABLE = new RegExp(`(?:${CONTROL.source}|${TURNING.source})+`, 'g')

/** Other services let titles be empty, long, or of several lines. A name that is too long loses its end. */
export function nameIn(title: string, path: string, url: string): Kept<string> {
  const line = title.replace(UNUSABLE, ' ').trim()
  const name = line || path || url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  if (name.length <= NAME_MAX) return kept(name)
  const loss = `Only the first ${NAME_MAX - 1} characters of its name are kept`
  return kept(`${name.slice(0, NAME_MAX - 1).toWellFormed()}…`, loss)
}

/** The name behind the host of a link of ours, or a name alone */
export function nameOfLink(link: string): string {
  const parts = /^https?:/i.test(link) ? partsOf(link).slice(1) : partsOf(link)
  return parts.join('/').replace(/^qr\//i, '')
}

/** Our own tags may have every sign but a comma; others are divided by what services write. */
const dividerOf = (format: ImportFormat) => (format === 'tessera' ? ',' : /[,|;]/)

/** The tags of a cell. Those that no code of ours can have are lost. */
export function tagsIn(cell: string, format: ImportFormat): Kept<string[]> {
  const names = distinctNames(cell.split(dividerOf(format)).map((name) => name.trim())).filter(
    (name) => name !== '',
  )
  const good = names.filter((name) => tagName.safeParse(name).success)
  const losses: string[] = []
  const bad = names.length - good.length
  if (bad > 0) {
    const [them, has] = bad === 1 ? ['One tag is', 'it has'] : [`${bad} tags are`, 'they have']
    losses.push(
      `${them} left out: ${has} more than ${TAG_NAME_MAX} characters, or some that can’t be used`,
    )
  }
  if (good.length > CODE_TAGS_MAX) losses.push(`Only the first ${CODE_TAGS_MAX} tags are kept`)
  return kept(good.slice(0, CODE_TAGS_MAX), ...losses)
}

/** Countries differ in whether the day or the month comes first. */
const AMBIGUOUS = /^\d{1,2}[./-]\d{1,2}[./-]/
/** No date is longer. */
const DATE_MAX = 64
const YEAR = /(?:19|20)\d\d/
const TIME = /\d:\d\d/
const ZONE = /(?:Z|UTC|GMT|:\d\d[^+-]*[+-]\d\d:?\d\d)$/i
/** No service of short links is older. */
const OLDEST = Date.UTC(1995, 0)

const shortened = (cell: string) => cell.slice(0, 40).toWellFormed()

/** The instant of a cell in epoch milliseconds; NaN if it is none. A time without a zone is in UTC. */
function instantOf(cell: string): number {
  if (cell.length > DATE_MAX || !YEAR.test(cell) || AMBIGUOUS.test(cell)) return Number.NaN
  const at = Date.parse(ZONE.test(cell) ? cell : `${cell.replace(/(\d)T(\d)/, '$1 $2')} UTC`)
  // A day alone is the same day wherever it is read: noon in UTC, from Honolulu to Sydney.
  return TIME.test(cell) ? at : at + DAY_MS / 2
}

/** When a code was created, in epoch milliseconds. What cannot be its first instant is lost. */
export function instantIn(cell: string, now: Date): Kept<number | null> {
  if (cell === '') return kept(null)
  const at = instantOf(cell)
  const isToday = at - now.getTime() < DAY_MS / 2 && !TIME.test(cell)
  if (at >= OLDEST && (at <= now.getTime() || isToday)) return kept(Math.min(at, now.getTime()))
  const why = at > now.getTime() ? 'is in the future' : 'can’t be read'
  return kept(null, `The date “${shortened(cell)}” ${why}, so this code gets today’s`)
}

/** Whether a code has ended. An end that comes later, or that cannot be read, is lost. */
export function hasEnded(cell: string, now: Date): Kept<boolean> {
  if (cell === '') return kept(false)
  const at = instantOf(cell)
  const why = Number.isNaN(at) ? 'can’t be read' : 'isn’t kept: pause this code then'
  return at <= now.getTime() ? kept(true) : kept(false, `Its end “${shortened(cell)}” ${why}`)
}

const PAUSED = /^(?:inactive|paused|archived|disabled|expired|deleted|draft|banned|off|stopped)$/i
const ACTIVE = /^(?:active|live|enabled|published|on)$/i
const YES = /^(?:true|yes|y|1|x)$/i
const NO = /^(?:false|no|n|0)$/i
/** A column whose yes means that a code is paused */
const OFF = /archived|disabled|paused|banned/

/** Whether a code was paused, by a cell and the key of its column. An unknown word is lost. */
export function isPausedBy(key: string, cell: string): Kept<boolean> {
  const isYes = YES.test(cell)
  if (isYes || NO.test(cell)) return kept(isYes === OFF.test(key))
  if (cell === '' || ACTIVE.test(cell)) return kept(false)
  if (PAUSED.test(cell)) return kept(true)
  return kept(false, `The status “${shortened(cell)}” isn’t known, so this code is active`)
}

/** The design of a code, as our own export has it. One that cannot be read is lost. */
export function designIn(
  cell: string,
  { publicUrl }: { publicUrl: string },
): Kept<z.infer<typeof design> | null> {
  if (cell === '') return kept(null)
  try {
    const own = design.parse(JSON.parse(cell))
    if (ownLinksIn(own, publicUrl).length > 0) {
      return kept({ ...own, rules: [], fallbackUrl: null }, `Its rules are left out. ${OWN_LINK}`)
    }
    const lost = own.hasPassword ? ['Its password isn’t in the file, so it asks for none'] : []
    return kept(own, ...lost)
  } catch {
    return kept(null, 'Its design can’t be read')
  }
}
