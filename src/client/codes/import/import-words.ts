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
  return `This file is ${megabytes} MB, and the limit is ${FILE_MAX_TEXT}. Remove columns you don’t need, or split it into several files.`
}

export const formatNames: Record<ImportFormat, string | null> = {
  sheet: null,
  tessera: 'Tessera',
  bitly: 'Bitly',
  dub: 'Dub',
  rebrandly: 'Rebrandly',
  shortio: 'Short.io',
  qrtiger: 'QR TIGER',
  shlink: 'Shlink',
  kutt: 'Kutt',
  yourls: 'YOURLS',
}

export const fieldNames: Record<ImportField, string> = {
  name: 'Name',
  url: 'Destination',
  vanityUrl: 'Custom URL',
  tags: 'Tags',
  createdAt: 'Created',
  status: 'Status',
  endsAt: 'End date',
  externalId: 'External ID',
  shortUrl: 'Short link',
  formerUrls: 'Former custom URLs',
  design: 'Design',
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

/** Whether it is known where the codes lead. Until then there is nothing to correct. */
export const hasDestination = (columns: ImportEntry['columns']) =>
  columns.some(({ as }) => as === 'url')

/** Rows that can become codes */
export const readyRows = ({ rows, problems }: Pick<ImportEntry, 'rows' | 'problems'>) =>
  rows - problems

/** Why no code can be created yet; null if the button works. */
export function obstacleIn(now: ImportNow): string | null {
  const ready = readyRows(now)
  if (!hasDestination(now.columns)) return 'Choose the columns first.'
  if (ready === 0) return 'No row is ready yet.'
  if (ready <= now.room) return null
  const room = now.room === 0 ? 'no more QR codes' : `${counted(now.room, 'more QR code')}`
  return `Your plan has room for ${room}, and ${counted(ready, 'row')} ${ready === 1 ? 'is' : 'are'} ready.`
}

/** "50 of your remaining 9,961 codes." */
export const roomText = (ready: number, room: number) =>
  `${formatCount(ready)} of your remaining ${counted(room, 'code')}.`

export const importText = (ready: number) => `Import ${counted(ready, 'row')}`

export const createdText = (codes: number) => `${counted(codes, 'QR code')} created`

/** The losses of the rows that are ready; null if there are none. */
export function lossText({ lostPaths, losses }: ImportNow): string | null {
  const others = losses - lostPaths
  const said = [
    lostPaths === 1 && 'One custom URL isn’t available: its QR code gets a short link only.',
    lostPaths > 1 &&
      `${formatCount(lostPaths)} custom URLs aren’t available: their QR codes get a short link only.`,
    others > 0 && `${counted(others, 'row')} can’t keep everything.`,
  ]
  return said.filter(Boolean).join(' ') || null
}

/** How an import that was begun before stands. */
export function stateText(entry: ImportEntry): string {
  const { state, rows, done, problems, fault } = entry
  if (state === 'published') return createdText(done)
  if (state === 'publishing') {
    return `${formatCount(done)} of ${counted(readyRows(entry), 'QR code')} ready`
  }
  if (fault) return 'Nothing was created'
  if (problems > 0) return `${formatCount(problems)} of ${counted(rows, 'row')} with errors`
  return `${counted(rows, 'row')} not imported yet`
}
