import { PRINT_SIZE } from '../pictures/pictures.ts'
import type { LabelSheet } from './label-sheets.ts'

/* Values only: what stands where on a label, in millimetres from its top left. */

/** The text beside a code: its name, or another text in its place, and its short link. */
export const captionKinds = ['name-and-link', 'name', 'link', 'none'] as const
export type CaptionKind = (typeof captionKinds)[number]

export const hasName = (caption: CaptionKind) => caption === 'name-and-link' || caption === 'name'
export const hasLink = (caption: CaptionKind) => caption === 'name-and-link' || caption === 'link'

/** Between a label's edge, which one cuts or peels along, and what is printed. */
const LABEL_PADDING = 2
export const NAME_HEIGHT = 5
export const LINK_HEIGHT = 3.5
/** Letters in points: as large, and as small, as they are written */
export const NAME_SIZE = { size: 11, least: 6 }
export const LINK_SIZE = { size: 7, least: 4.5 }
/** Beside a code there is room for a link in two lines, and on most labels for such a name, too. */
const LINES = 2
/** Between a code and what is written beside it. */
const GAP = 2
/** Less is too narrow for a name beside a code. */
const TEXT_WIDTH_MIN = 14

export type Box = { x: number; y: number; width: number; height: number }

/** `code` is a square, quiet zone included. Its edge may be below what can be scanned: see `sheetProblem`. */
export type LabelLayout = {
  code: { x: number; y: number; edge: number }
  name: Box | null
  link: Box | null
}

/** The layout with the larger code: what is written stands below the code, or beside it on a wide label. */
export function layOutLabel(sheet: LabelSheet, caption: CaptionKind): LabelLayout {
  const inner = innerOf(sheet)
  const below = layOutBelow(inner, caption)
  if (sheet.isBelow || caption === 'none') return below
  const beside = layOutBeside(inner, caption)
  return beside.code.edge > below.code.edge ? beside : below
}

/** All but the padding; of a round label the largest square in it. */
function innerOf({ labelWidth, labelHeight, isRound }: LabelSheet): Box {
  const share = isRound ? Math.SQRT1_2 : 1
  const width = share * (labelWidth - 2 * LABEL_PADDING)
  const height = share * (labelHeight - 2 * LABEL_PADDING)
  return { x: (labelWidth - width) / 2, y: (labelHeight - height) / 2, width, height }
}

function layOutBelow(inner: Box, caption: CaptionKind): LabelLayout {
  const nameHeight = hasName(caption) ? NAME_HEIGHT : 0
  const linkHeight = hasLink(caption) ? LINK_HEIGHT : 0
  const edge = Math.min(inner.width, inner.height - nameHeight - linkHeight)
  const top = inner.y + (inner.height - edge - nameHeight - linkHeight) / 2
  const line = (y: number, height: number) =>
    height > 0 ? { x: inner.x, y, width: inner.width, height } : null
  return {
    code: { x: inner.x + (inner.width - edge) / 2, y: top, edge },
    name: line(top + edge, nameHeight),
    link: line(top + edge + nameHeight, linkHeight),
  }
}

function layOutBeside(inner: Box, caption: CaptionKind): LabelLayout {
  const linkHeight = hasLink(caption) ? LINES * LINK_HEIGHT : 0
  const nameLines = inner.height - linkHeight >= LINES * NAME_HEIGHT ? LINES : 1
  const nameHeight = hasName(caption) ? nameLines * NAME_HEIGHT : 0
  const edge = Math.min(inner.height, inner.width - GAP - TEXT_WIDTH_MIN)
  const width = inner.width - edge - GAP
  const top = inner.y + (inner.height - nameHeight - linkHeight) / 2
  const line = (y: number, height: number) =>
    height > 0 ? { x: inner.x + edge + GAP, y, width, height } : null
  return {
    code: { x: inner.x, y: inner.y + (inner.height - edge) / 2, edge },
    name: line(top, nameHeight),
    link: line(top + nameHeight, linkHeight),
  }
}

/** Vendors round their sizes. */
const TOLERANCE = 0.05

/** The reason that makes a sheet useless, in words, with the size that it is about. */
type SheetProblem = {
  field: 'columns' | 'rows' | 'labelWidth' | 'labelHeight'
  message: string
}

const mm = (length: number) => `${Number(length.toFixed(2))} mm`

/** Labels that are not on their page, that lie on each other, or whose codes are too small to be scanned. */
export function sheetProblem(sheet: LabelSheet, caption: CaptionKind): SheetProblem | null {
  const { columns, rows, labelWidth, labelHeight, left, top, pitchX, pitchY } = sheet
  const right = left + (columns - 1) * pitchX + labelWidth
  const bottom = top + (rows - 1) * pitchY + labelHeight
  if (right > sheet.pageWidth + TOLERANCE) {
    const message = `These columns need ${mm(right)}, and the page is ${mm(sheet.pageWidth)} wide`
    return { field: 'columns', message }
  }
  if (bottom > sheet.pageHeight + TOLERANCE) {
    const message = `These rows need ${mm(bottom)}, and the page is ${mm(sheet.pageHeight)} high`
    return { field: 'rows', message }
  }
  const { edge } = layOutLabel(sheet, caption).code
  if (edge >= PRINT_SIZE.min) return null
  return {
    field: labelWidth < labelHeight ? 'labelWidth' : 'labelHeight',
    message:
      edge > 0
        ? `The codes would be ${mm(edge)} wide. They need ${mm(PRINT_SIZE.min)} to scan`
        : 'These labels have no room for a code',
  }
}
