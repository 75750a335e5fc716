import { parse } from 'tldts'
import { CODE_TAGS_MAX, NAME_MAX, TAG_NAME_MAX } from '#contract/code-values.ts'
import { textOfCell } from '#contract/csv.ts'
import type { ImportFormat } from '#contract/imports.ts'
import { tagName } from '#contract/tags.ts'
import { CONTROL, TURNING } from '#contract/text.ts'
import { z } from '#contract/zod.ts'
import { distinctNames } from '../tags/give-tags.ts'

/* Values in the cells of other services and of spreadsheets. */

/** A value of a cell, and what of the cell is lost. */
type Kept<Value> = { value: Value; losses: string[] }

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

/** Other services let titles be empty, long, or of several lines. */
export function nameIn(title: string, path: string, url: string): string {
  const line = title.replace(UNUSABLE, ' ').trim()
  const name = line || path || url.replace(/^https?:\/\//i, '').replace(/\/$/, '')
  return name.length > NAME_MAX ? `${name.slice(0, NAME_MAX - 1).toWellFormed()}…` : name
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
  return { value: good.slice(0, CODE_TAGS_MAX), losses }
}

/** Countries differ in whether the day or the month comes first. */
const AMBIGUOUS = /^\d{1,2}[./-]\d{1,2}[./-]/
/** No date is longer. */
const DATE_MAX = 64
const YEAR = /(?:19|20)\d\d/
const ZONE = /(?:Z|UTC|GMT|:\d\d[^+-]*[+-]\d\d:?\d\d)$/i
/** No service of short links is older. */
const OLDEST = Date.UTC(1995, 0)

/** The instant of a cell in epoch milliseconds; without a zone it is in UTC. One that cannot be a code's first is lost. */
export function instantIn(cell: string, now: Date): Kept<number | null> {
  if (cell === '') return { value: null, losses: [] }
  const isDate = cell.length <= DATE_MAX && YEAR.test(cell) && !AMBIGUOUS.test(cell)
  const text = isDate && ZONE.test(cell) ? cell : `${cell.replace(/(\d)T(\d)/, '$1 $2')} UTC`
  const at = isDate ? Date.parse(text) : Number.NaN
  if (at >= OLDEST && at <= now.getTime()) return { value: at, losses: [] }
  const shown = cell.slice(0, 40).toWellFormed()
  const why = at > now.getTime() ? 'is in the future' : 'can’t be read'
  return {
    value: null,
    losses: [`The date “${shown}” ${why}, so this code gets today’s`],
  }
}
