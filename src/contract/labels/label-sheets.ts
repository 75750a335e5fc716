/*
 * Values only: where labels stand on a page, in millimetres. The dialog shows these sizes, and the
 * drawing threads draw by them.
 */

export const paperNames = ['a4', 'letter'] as const
export type PaperName = (typeof paperNames)[number]

/** Edges in millimetres: ISO 216, and ANSI/ASME Y14.1 for 8.5 × 11 inches. */
export const papers: Record<PaperName, { name: string; width: number; height: number }> = {
  a4: { name: 'A4', width: 210, height: 297 },
  letter: { name: 'Letter', width: 215.9, height: 279.4 },
}

/** A page of equal labels in rows and columns. Lengths are millimetres, y runs down. */
export type LabelSheet = {
  readonly pageWidth: number
  readonly pageHeight: number
  readonly columns: number
  readonly rows: number
  /** Both edges are the diameter of a round label. */
  readonly labelWidth: number
  readonly labelHeight: number
  /** From the edges of the page to the first label */
  readonly left: number
  readonly top: number
  /** From a label's left edge to that of the next one, and from its top to that of the one below */
  readonly pitchX: number
  readonly pitchY: number
  readonly isRound?: boolean | undefined
  /** Lines around each label, for paper that is cut */
  readonly hasCutLines?: boolean | undefined
  /** The text stands below the code on any label. */
  readonly isBelow?: boolean | undefined
}

/** Labels on a page. */
export const perPage = ({ columns, rows }: { columns: number; rows: number }) => columns * rows

/** The number of pages for `labels` labels, of which the first stands at `first`, counted from 1. */
export const pagesOf = (sheet: LabelSheet, labels: number, first = 1) =>
  Math.ceil((first - 1 + labels) / perPage(sheet))

/** Where a label begins, from the page's top left; labels are counted from 0, row by row. */
export function labelAt(sheet: LabelSheet, index: number): { x: number; y: number } {
  return {
    x: sheet.left + (index % sheet.columns) * sheet.pitchX,
    y: sheet.top + Math.floor(index / sheet.columns) * sheet.pitchY,
  }
}

export const GRID = { columns: 4, rows: 5, columnsMax: 10, rowsMax: 14 } as const

/** The grids for plain paper that the dialog offers. */
export const grids = [
  { name: 'Large', columns: 2, rows: 3 },
  { name: 'Medium', columns: 3, rows: 4 },
  { name: 'Small', columns: 4, rows: 5 },
] as const

/** No printer of an office prints nearer to the edge of its paper. */
const PAGE_MARGIN = 10

export type Grid = { paper: PaperName; columns: number; rows: number }

/** Plain paper in equal parts, to be cut. */
export function gridSheet({ paper, columns, rows }: Grid): LabelSheet {
  const { width: pageWidth, height: pageHeight } = papers[paper]
  const labelWidth = (pageWidth - 2 * PAGE_MARGIN) / columns
  const labelHeight = (pageHeight - 2 * PAGE_MARGIN) / rows
  return {
    pageWidth,
    pageHeight,
    columns,
    rows,
    labelWidth,
    labelHeight,
    left: PAGE_MARGIN,
    top: PAGE_MARGIN,
    pitchX: labelWidth,
    pitchY: labelHeight,
    hasCutLines: true,
    isBelow: true,
  }
}

/** Labels as a user measured them, in millimetres. */
export type OwnSheet = {
  pageWidth: number
  pageHeight: number
  columns: number
  rows: number
  labelWidth: number
  labelHeight: number
  marginLeft: number
  marginTop: number
  gapX: number
  gapY: number
  isRound: boolean
  cutLines: boolean
}

/** Bounds of own sizes: from a label printer's single label to A3. Lengths in millimetres. */
export const OWN = { pageMin: 20, pageMax: 420, columnsMax: 20, rowsMax: 30 } as const

export function ownSheet({ marginLeft, marginTop, gapX, gapY, cutLines, ...own }: OwnSheet) {
  const pitches = { pitchX: own.labelWidth + gapX, pitchY: own.labelHeight + gapY }
  const places = { left: marginLeft, top: marginTop, hasCutLines: cutLines }
  return { ...own, ...pitches, ...places } satisfies LabelSheet
}
