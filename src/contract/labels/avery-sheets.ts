import sheets from './avery-sheets.json' with { type: 'json' }
import { type LabelSheet, type PaperName, papers } from './label-sheets.ts'

/*
 * Label sheets of Avery that shops sell. avery-sheets.json has their sizes: on A4 in millimetres, on
 * Letter in inches.
 *
 * Avery publishes the sizes of labels and files for word processors, but no table of margins. The
 * sources, named at each sheet as `source`:
 * [L] LibreOffice, extras/source/labels/labels.xml, "Avery A4", "Avery A4/Asia", "Avery Letter Size":
 *     hundredths of a millimetre
 * [G] gLabels, templates/avery-iso-templates.xml and avery-us-templates.xml: millimetres and inches
 * [P] three public projects that agree, one after a print on the sheet itself: huronhelpinghands.org,
 *     and the presets "avery-22805" of two label printing programs
 * Each sheet has equal margins at both sides, which a test checks. Not here are sheets on which such
 * sources differ (L7120, L7121, L7125, 22806, 22807, 22816, 94107), and those whose codes would be too
 * small to be scanned (5167, 8195, L7657, L7658).
 */

/** The sheet that shops sell under a number. `also`: other numbers with the same labels. */
type AverySheet = {
  readonly paper: PaperName
  readonly use: string
  readonly also?: string
  readonly sheet: LabelSheet
}

const INCH = 25.4

/** Sheets of A4 stand before those of Letter. */
export type AveryName = keyof typeof sheets
export const averyNames = (Object.keys(sheets) as AveryName[]).sort(
  (one, other) => Number(sheets[one].paper === 'letter') - Number(sheets[other].paper === 'letter'),
)

type Entry = {
  paper: string
  use: string
  also?: string
  isRound?: boolean
  across: number
  down: number
  label: number[]
  first: number[]
  pitch: number[]
}

function averySheet({ across, down, label, first, pitch, isRound, ...entry }: Entry): AverySheet {
  const paper: PaperName = entry.paper === 'a4' ? 'a4' : 'letter'
  const unit = paper === 'a4' ? 1 : INCH
  const [labelWidth, labelHeight, left, top, pitchX, pitchY] = [...label, ...first, ...pitch].map(
    (length) => unit * length,
  ) as [number, number, number, number, number, number]
  const { width: pageWidth, height: pageHeight } = papers[paper]
  const sheet = {
    pageWidth,
    pageHeight,
    columns: across,
    rows: down,
    labelWidth,
    labelHeight,
    left,
    top,
    pitchX,
    pitchY,
    isRound,
  }
  return { paper, use: entry.use, also: entry.also, sheet }
}

export const averySheets = Object.fromEntries(
  averyNames.map((name) => [name, averySheet(sheets[name])]),
) as Readonly<Record<AveryName, AverySheet>>
