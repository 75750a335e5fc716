import { NAME_MAX } from '../code-values.ts'
import { chosenIds } from '../series.ts'
import { plainText, z } from '../zod.ts'
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
  width: z.int().min(1).max(4_000),
  height: z.int().min(1).max(400),
  ink: z
    .string()
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
const pageEdge = millimetres(OWN.pageMin)

/** Labels as a user measured them; lengths are millimetres. A round label is as wide as high. */
const lengths = z.object({
  pageWidth: pageEdge,
  pageHeight: pageEdge,
  columns: count(OWN.columnsMax),
  rows: count(OWN.rowsMax),
  labelWidth: length,
  labelHeight: length,
  /** From the page's edges to the first label */
  marginLeft: length.default(0),
  marginTop: length.default(0),
  /** Between a label and the next one, and the one below */
  gapX: length.default(0),
  gapY: length.default(0),
  isRound: z.boolean().default(false),
  cutLines: z.boolean().default(false),
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
    paper: z.enum(paperNames).default('a4'),
    columns: z.int().min(1).max(GRID.columnsMax).default(GRID.columns),
    rows: z.int().min(1).max(GRID.rowsMax).default(GRID.rows),
    sheet: z.enum(averyNames).optional(),
    sizes: ownSizes.optional(),
    /** The first free label of a sheet that was begun, counted from 1, row by row. */
    first: z.int().min(1).default(1),
    caption: z.enum(captionKinds).default('name-and-link'),
    /** Texts in place of names, by the id of their code. */
    captions: z
      .record(
        z.string(),
        plainText.max(NAME_MAX, `The text on a label has at most ${NAME_MAX} characters`),
      )
      .default({}),
    /** Names or the texts in their place as pictures, by the id of their code. */
    drawnNames: z.record(z.string(), drawnName).default({}),
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
