import { PRINT_SIZE } from './pictures/pictures.ts'

/*
 * Values only: where labels stand on a page, in millimetres. The dialog says these sizes, and the
 * drawing threads draw by them.
 */

export const paperNames = ['a4', 'letter'] as const
export type PaperName = (typeof paperNames)[number]

/** Edges in millimetres: ISO 216, and ANSI/ASME Y14.1 for 8.5 × 11 inches. */
export const papers: Record<PaperName, { name: string; width: number; height: number }> = {
  a4: { name: 'A4', width: 210, height: 297 },
  letter: { name: 'Letter', width: 215.9, height: 279.4 },
}

export const GRID = { columns: 4, rows: 5, columnsMax: 10, rowsMax: 14 } as const

/** The grids that the dialog offers. */
export const grids = [
  { name: 'Large', columns: 2, rows: 3 },
  { name: 'Medium', columns: 3, rows: 4 },
  { name: 'Small', columns: 4, rows: 5 },
] as const

/** No printer of an office prints nearer to the edge of its paper. */
export const PAGE_MARGIN = 10
/** Between the line that one cuts along and what is printed. */
export const LABEL_PADDING = 2
/** Heights of the two lines under a code, the name and the short link. */
export const NAME_HEIGHT = 5
export const LINK_HEIGHT = 3.5

export type Sheet = { paper: PaperName; columns: number; rows: number }

/** All in millimetres. `code` is the edge of a code's picture, quiet zone included; `line` is as long as the lines below it may be. */
export type SheetLayout = {
  width: number
  height: number
  cellWidth: number
  cellHeight: number
  code: number
  line: number
}

/** How large the labels of such a page are. There may be no room for a code: see `isGrid`. */
export function layOutSheet({ paper, columns, rows }: Sheet): SheetLayout {
  const { width, height } = papers[paper]
  const cellWidth = (width - 2 * PAGE_MARGIN) / columns
  const cellHeight = (height - 2 * PAGE_MARGIN) / rows
  const line = cellWidth - 2 * LABEL_PADDING
  const code = Math.min(line, cellHeight - NAME_HEIGHT - LINK_HEIGHT - 2 * LABEL_PADDING)
  return { width, height, cellWidth, cellHeight, code, line }
}

/** Where a label's cell begins, from the page's top left. */
export function cellAt(
  { columns }: Sheet,
  layout: SheetLayout,
  index: number,
): { x: number; y: number } {
  return {
    x: PAGE_MARGIN + (index % columns) * layout.cellWidth,
    y: PAGE_MARGIN + Math.floor(index / columns) * layout.cellHeight,
  }
}

/** Where the parts of a label stand in its cell: the code, and both lines in the middle below it. */
export function placesIn({ cellWidth, cellHeight, code }: SheetLayout) {
  const top = (cellHeight - code - NAME_HEIGHT - LINK_HEIGHT) / 2
  return { x: (cellWidth - code) / 2, top, name: top + code, link: top + code + NAME_HEIGHT }
}

/** Whether the labels are large enough to be scanned. */
export const isGrid = (sheet: Sheet) => layOutSheet(sheet).code >= PRINT_SIZE.min

/** Labels on a page. */
export const perPage = ({ columns, rows }: Pick<Sheet, 'columns' | 'rows'>) => columns * rows
