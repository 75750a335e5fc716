import {
  IMPORT_BODY_MAX,
  type ImportEntry,
  type ImportField,
  type ImportFormat,
  type ImportNow,
} from '#contract/imports.ts'
import { counted, formatCount } from '../../formats.ts'
import { extensionOf } from './queries.ts'

const MEGABYTE = 2 ** 20

/** Ends of names that a file dialog offers. */
export const ACCEPTED = '.csv,.tsv,.txt,.json,text/csv'

export const FILE_MAX_TEXT = `${IMPORT_BODY_MAX / MEGABYTE} MB`

/** Programs that keep tables in files of their own, by the ends of those files' names. */
const workbooks: Record<string, string> = {
  xlsx: 'an Excel workbook',
  xlsm: 'an Excel workbook',
  xls: 'an Excel workbook',
  ods: 'a LibreOffice spreadsheet',
  numbers: 'a Numbers spreadsheet',
  gsheet: 'a link to Google Sheets',
  zip: 'a zip',
  pdf: 'a PDF',
}

/** Why a file need not be sent; null if the server has to decide. */
export function faultOf({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  const workbook = workbooks[extensionOf(name)]
  if (workbook) return `This is ${workbook}. Save or download it as CSV, and choose that file.`
  if (size === 0) return 'This file is empty.'
  if (size <= IMPORT_BODY_MAX) return null
  const megabytes = (size / MEGABYTE).toFixed(1)
  return `This file has ${megabytes} MB. Up to ${FILE_MAX_TEXT} can be read: split it into several files.`
}

export const formatNames: Record<ImportFormat, string | null> = {
  sheet: null,
  tessera: 'our own export',
  bitly: 'Bitly',
  shlink: 'Shlink',
  kutt: 'Kutt',
  yourls: 'YOURLS',
}

export const fieldNames: Record<ImportField, string> = {
  name: 'Name',
  url: 'Destination',
  vanityUrl: 'Custom URL',
  tags: 'Tags',
}

/** How the file's columns were read: "“long_url” as Destination". */
export function readText(columns: ImportEntry['columns']): string {
  const read = columns.filter(({ as }) => as !== null)
  return read
    .map(({ name, as }) => {
      const ours = as ? fieldNames[as] : ''
      return name.toLowerCase() === ours.toLowerCase() ? `“${name}”` : `“${name}” as ${ours}`
    })
    .join(', ')
}

/** The columns that are left aside; an empty text if there are none. */
export const unreadText = (columns: ImportEntry['columns']) =>
  columns
    .filter(({ name, as }) => as === null && name.trim() !== '')
    .map(({ name }) => `“${name}”`)
    .join(', ')

/** Whether codes can be made, or what has to happen before. */
export function obstacleIn(
  { rows, problems, lostPaths, room }: ImportNow,
  otherPaths: boolean,
): string | null {
  if (rows === 0) return 'The file has no rows.'
  if (problems > 0) {
    const them = problems === 1 ? 'this row' : 'these rows'
    return `Nothing is made until every row is fine. Change ${them} in your file, and choose it again.`
  }
  if (rows > room) return `${roomText(room)} The file has ${counted(rows, 'row')}.`
  if (lostPaths > 0 && !otherPaths) {
    return lostPaths === 1
      ? 'One custom URL cannot be had: say above what should happen.'
      : `${formatCount(lostPaths)} custom URLs cannot be had: say above what should happen.`
  }
  return null
}

export function roomText(room: number): string {
  if (room === 0) return 'Your account has no free place for a QR code.'
  return `Your account has ${counted(room, 'free place')}.`
}

export const makeText = (rows: number) => `Make ${counted(rows, 'QR code')}`

export const madeText = (rows: number) => `${counted(rows, 'QR code')} made`

/** How an import that was begun before stands. */
export function stateText({ state, rows, done, problems, fault }: ImportEntry): string {
  if (state === 'published') return madeText(rows)
  if (state === 'publishing') return `${formatCount(done)} of ${formatCount(rows)} ready`
  if (fault) return 'Nothing was made'
  if (problems > 0) return `${counted(problems, 'row')} of ${formatCount(rows)} to change`
  return `${counted(rows, 'row')} read, nothing made yet`
}
