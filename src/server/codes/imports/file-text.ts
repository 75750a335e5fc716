import { isUtf8 } from 'node:buffer'
import type { ImportEncoding } from '#contract/imports.ts'
import { AppError } from '../../http/errors.ts'

/** @throws AppError import_unreadable, always */
export function refuseFile(message: string): never {
  throw new AppError('import_unreadable', message)
}

const HOW_TO_SAVE =
  'Save it as CSV and upload that file. In Excel: File, Save As, “CSV UTF-8”. ' +
  'In Google Sheets: File, Download, “Comma-separated values”. In Numbers: File, Export To, “CSV”.'
const WORKBOOK = `This is a workbook, not a CSV file. ${HOW_TO_SAVE}`
const NO_TEXT = `This isn’t a text file. ${HOW_TO_SAVE}`

/** The first bytes of workbooks: a ZIP's (APPNOTE 4.3.7), and those of Excel's older files (MS-CFB 2.2) */
const WORKBOOKS = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]
const WORKBOOK_NAME = /\.(xlsx?|xlsm|xlsb|ods|numbers)$/i
const BOM_8 = [0xef, 0xbb, 0xbf]
const BOM_16_LE = [0xff, 0xfe]
const BOM_16_BE = [0xfe, 0xff]
const beginsWith = (file: Buffer, bytes: number[]) => bytes.every((byte, at) => file[at] === byte)

export type FileText = { encoding: ImportEncoding; text: Buffer }

/**
 * A file's text in UTF-8, without its byte order mark. A byte order mark decides. A text that is mostly not UTF-8 is taken
 * for windows-1252, in which Excel writes CSV in the Americas and Western Europe.
 * @throws AppError import_unreadable
 */
export function textOfFile(name: string, file: Buffer): FileText {
  if (WORKBOOK_NAME.test(name) || WORKBOOKS.some((bytes) => beginsWith(file, bytes))) {
    refuseFile(WORKBOOK)
  }
  const isLittle = beginsWith(file, BOM_16_LE)
  if (isLittle || beginsWith(file, BOM_16_BE)) {
    return decoded(file, 'utf-16', isLittle ? 'utf-16le' : 'utf-16be')
  }
  const isMarked = beginsWith(file, BOM_8)
  if (!isUtf8(file)) {
    return isMarked || isMostlyUtf8(file)
      ? decoded(file, 'utf-8', 'utf-8')
      : decoded(file, 'windows-1252', 'windows-1252')
  }
  if (file.includes(0)) refuseFile(NO_TEXT)
  return { encoding: 'utf-8', text: isMarked ? file.subarray(BOM_8.length) : file }
}

/** Text in another encoding has hardly a letter that UTF-8 reads. */
function isMostlyUtf8(file: Buffer): boolean {
  const letters = file.toString().match(/[^\0-\x7f]/g) ?? []
  const bad = letters.filter((letter) => letter === '\uFFFD').length
  return letters.length - bad >= bad
}

function decoded(file: Buffer, encoding: ImportEncoding, label: string): FileText {
  const text = Buffer.from(textIn(file, label))
  return text.includes(0) ? refuseFile(NO_TEXT) : { encoding, text }
}

function textIn(file: Buffer, label: string): string {
  try {
    // A row with a byte that is not UTF-8 is a problem of its own.
    return new TextDecoder(label, { fatal: label !== 'utf-8' }).decode(file)
  } catch {
    return refuseFile(NO_TEXT)
  }
}
