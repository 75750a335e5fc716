import { NAME_MAX } from '../codes/code-values.ts'
import { chosenIds } from '../series/series.ts'
import { flag, oneOf, plainText, text, z } from '../zod.ts'
import { type AveryName, averyNames, averySheets } from './avery-sheets.ts'
import { captionKinds, sheetProblem } from './label-layout.ts'
import {
  GRID,
  type Grid,
  gridSheet,
  type LabelSheet,
  OWN,
  type OwnSheet,
  ownSheet,
  paperNames,
  perPage,
} from './label-sheets.ts'

/** A name as a picture, for letters that no font of ours has: 1 bit a pixel, rows of whole bytes, deflated (RFC 1950), base64. */
export const drawnName = z.object({
  width: z.int().min(1).max(4_000).describe('In pixels.'),
  height: z.int().min(1).max(400).describe('In pixels.'),
  ink: text('One bit per pixel, in rows of whole bytes, deflated, as base64.')
    .max(40_000)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
})
export type DrawnName = z.infer<typeof drawnName>

const millimetres = (from: number) => {
  const text = `From ${from} to ${OWN.pageMax} mm`
  return z.number(text).min(from, text).max(OWN.pageMax, text)
}
const count = (most: number) => {
  const text = `From 1 to ${most}`
  return z.int(text).min(1, text).max(most, text)
}
const length = millimetres(0)
const pageEdge = millimetres(OWN.pageMin).describe('Of the paper.')
const labelEdge = length.describe('Of a label; for round labels, the diameter.')
const margin = length.default(0).describe('From the edge of the paper to the first label.')
const COLUMNS = 'Labels per row.'
const ROWS = 'Labels per column.'

/** Labels as a user measured them; lengths are millimetres. A round label is as wide as high. */
const lengths = z.object({
  pageWidth: pageEdge,
  pageHeight: pageEdge,
  columns: count(OWN.columnsMax).describe(COLUMNS),
  rows: count(OWN.rowsMax).describe(ROWS),
  labelWidth: labelEdge,
  labelHeight: labelEdge,
  marginLeft: margin,
  marginTop: margin,
  gapX: length.default(0).describe('Between labels in a row.'),
  gapY: length.default(0).describe('Between labels in a column.'),
  isRound: flag('The labels are round.').default(false),
  cutLines: flag('Draws lines to cut along.').default(false),
})
export const ownSizes = lengths.refine(
  ({ isRound, labelWidth, labelHeight }) => !isRound || labelWidth === labelHeight,
  { path: ['labelHeight'], message: 'A round label needs the same width and height' },
)

/**
 * Body of POST /api/qr-codes/labels: labels in the order of `ids`, on a `sheet` that shops sell, on
 * one of own `sizes`, or on plain `paper` in `columns` × `rows` equal parts.
 */
export const labelsAsked = z
  .object({
    ids: chosenIds,
    paper: oneOf(paperNames, 'A4 or US Letter.').default('a4'),
    columns: z.int().min(1).max(GRID.columnsMax).default(GRID.columns).describe(COLUMNS),
    rows: z.int().min(1).max(GRID.rowsMax).default(GRID.rows).describe(ROWS),
    sheet: oneOf(
      averyNames,
      'An Avery sheet by its number. Without it and `sizes`, the paper is divided evenly.',
    ).optional(),
    sizes: ownSizes.optional().describe('A custom size, in millimeters.'),
    first: z
      .int()
      .min(1)
      .default(1)
      .describe(
        'The first free label on a sheet you’ve already started, counted from 1, row by row.',
      ),
    caption: z.enum(captionKinds).default('name-and-link').describe('The text with each code.'),
    captions: z
      .record(
        z.string(),
        plainText.max(NAME_MAX, `The text on a label has at most ${NAME_MAX} characters`),
      )
      .default({})
      .describe('Text instead of the name, by the code’s id.'),
    drawnNames: z
      .record(z.string(), drawnName)
      .default({})
      .describe('Names as pictures, by the code’s id, for letters our fonts don’t have.'),
  })
  .superRefine((asked, context) => {
    const refuse = (path: string[], message: string) =>
      context.addIssue({ code: 'custom', path, message })
    const sheet = sheetOf(asked)
    const problem = sheetProblem(sheet, asked.caption)
    if (asked.sheet && asked.sizes) refuse(['sizes'], 'Send a sheet or sizes, not both')
    else if (problem && asked.sizes) refuse(['sizes', problem.field], problem.message)
    else if (problem) refuse(['columns'], 'The codes on these labels would be too small to scan')
    const labels = perPage(sheet)
    if (asked.first > labels) refuse(['first'], `This sheet has ${labels} labels`)
  })
export type LabelsAsked = z.output<typeof labelsAsked>
export type LabelsCall = z.input<typeof labelsAsked>

export type SheetAsked = Grid & { sheet?: AveryName | undefined; sizes?: OwnSheet | undefined }

/** The sheet that a body asks for. */
export function sheetOf({ sheet, sizes, ...grid }: SheetAsked): LabelSheet {
  if (sheet) return averySheets[sheet].sheet
  return sizes ? ownSheet(sizes) : gridSheet(grid)
}
