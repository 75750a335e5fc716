import { type LabelSheet, type PaperName, papers } from './label-sheets.ts'

/*
 * Values only: label sheets of Avery that shops sell, in millimetres.
 *
 * Avery publishes the sizes of labels and files for word processors, but no table of margins. The
 * sources, named at each sheet:
 * [L] LibreOffice, extras/source/labels/labels.xml, "Avery A4", "Avery A4/Asia", "Avery Letter Size":
 *     hundredths of a millimetre
 * [G] gLabels, templates/avery-iso-templates.xml and avery-us-templates.xml: millimetres and inches
 * [P] three public projects that agree, one after a print on the sheet itself: huronhelpinghands.org,
 *     and the presets "avery-22805" of two label printing programs
 * Each sheet has equal margins at both sides, which a test checks. Not here are sheets on which such
 * sources differ (L7120, L7121, L7125, 22806, 22807, 22816, 94107), and those whose codes would be too
 * small to be scanned (5167, 8195, L7657, L7658).
 */

/** What a shop sells under a number. `also`: other numbers with the same labels. */
type AverySheet = {
  readonly paper: PaperName
  readonly use: string
  readonly also?: string
  readonly sheet: LabelSheet
}

const INCH = 25.4

type Sizes = {
  across: number
  down: number
  label: readonly [width: number, height: number]
  first: readonly [left: number, top: number]
  pitch: readonly [x: number, y: number]
}

function on(paper: PaperName, { across, down, label, first, pitch }: Sizes): LabelSheet {
  const unit = paper === 'a4' ? 1 : INCH
  const [labelWidth, labelHeight, left, top, pitchX, pitchY] = [...label, ...first, ...pitch].map(
    (length) => unit * length,
  ) as [number, number, number, number, number, number]
  const { width: pageWidth, height: pageHeight } = papers[paper]
  return {
    ...{ pageWidth, pageHeight, columns: across, rows: down },
    ...{ labelWidth, labelHeight, left, top, pitchX, pitchY },
  }
}

type About = Omit<AverySheet, 'paper' | 'sheet'> & { isRound?: boolean }

const averyOn =
  (paper: PaperName) =>
  ({ isRound, ...about }: About, sizes: Sizes): AverySheet => ({
    ...{ paper, ...about, sheet: { ...on(paper, sizes), isRound } },
  })
/** Sizes in millimetres */
const a4 = averyOn('a4')
/** Sizes in inches */
const letter = averyOn('letter')

const sheets = {
  // [L], as C2160 and L7160; [G] within 0.3 mm
  L7160: a4(
    { use: 'Address labels', also: 'J8160' },
    { across: 3, down: 7, label: [63.5, 38.1], first: [7.2, 15.15], pitch: [66.04, 38.1] },
  ),
  // [L]
  L7163: a4(
    { use: 'Address labels' },
    { across: 2, down: 7, label: [99.06, 38.1], first: [4.67, 15.15], pitch: [101.6, 38.1] },
  ),
  // [L]
  L7159: a4(
    { use: 'Address labels' },
    { across: 3, down: 8, label: [64, 33.86], first: [6.46, 13.06], pitch: [66.54, 33.86] },
  ),
  // [L]
  L7161: a4(
    { use: 'Address labels', also: 'J8161' },
    { across: 3, down: 6, label: [63.5, 46.56], first: [7.21, 8.82], pitch: [66.04, 46.56] },
  ),
  // [L]; [G] within 0.7 mm
  L7162: a4(
    { use: 'Address labels' },
    { across: 2, down: 8, label: [99.06, 33.87], first: [4.67, 13.02], pitch: [101.6, 33.87] },
  ),
  // [L]; [G] within 0.3 mm but for its top margin
  L7164: a4(
    { use: 'Large labels', also: 'J8164' },
    { across: 3, down: 4, label: [63.5, 71.97], first: [7.21, 4.57], pitch: [66.04, 71.97] },
  ),
  // [L] and [G]
  L7165: a4(
    { use: 'Parcel labels', also: 'J8165' },
    { across: 2, down: 4, label: [99.06, 67.73], first: [4.67, 13.04], pitch: [101.6, 67.73] },
  ),
  // [L]
  L7173: a4(
    { use: 'Parcel labels' },
    { across: 2, down: 5, label: [99.06, 57], first: [4.67, 6], pitch: [101.6, 57] },
  ),
  // [L]; [G] as 8651, within 0.1 mm
  L7651: a4(
    { use: 'Small labels', also: 'J8651' },
    { across: 5, down: 13, label: [38.1, 21.17], first: [4.67, 10.9], pitch: [40.64, 21.17] },
  ),
  // [L]
  L7654: a4(
    { use: 'Small labels' },
    { across: 4, down: 10, label: [45.72, 25.4], first: [9.75, 21.43], pitch: [48.26, 25.4] },
  ),
  // [G], as Avery L4732 and as Zweckform 4732
  L4732: a4(
    { use: 'Small labels' },
    { across: 5, down: 16, label: [35.6, 16.9], first: [11, 13], pitch: [38.1, 16.9] },
  ),
  // [L], with L7630 and L7670
  L7650: a4(
    { use: 'Round labels', also: 'L7630, L7670', isRound: true },
    { across: 3, down: 4, label: [63.5, 63.5], first: [5.25, 14.75], pitch: [68, 68] },
  ),
  // [L]; [G] has a margin of 5/32 in and a pitch of 2 25/32 in
  '5160': letter(
    { use: 'Address labels', also: '8160' },
    { across: 3, down: 10, label: [2.625, 1], first: [0.1875, 0.5], pitch: [2.75, 1] },
  ),
  // [L] and [G]
  '5161': letter(
    { use: 'Address labels', also: '8161' },
    { across: 2, down: 10, label: [4, 1], first: [0.15625, 0.5], pitch: [4.1875, 1] },
  ),
  // [L] and [G]
  '5162': letter(
    { use: 'Address labels', also: '8162' },
    { across: 2, down: 7, label: [4, 4 / 3], first: [0.15625, 5 / 6], pitch: [4.1875, 4 / 3] },
  ),
  // [L] and [G]
  '5163': letter(
    { use: 'Shipping labels', also: '8163' },
    { across: 2, down: 5, label: [4, 2], first: [0.15625, 0.5], pitch: [4.1875, 2] },
  ),
  // [L] and [G]
  '5164': letter(
    { use: 'Shipping labels', also: '8164' },
    { across: 2, down: 3, label: [4, 10 / 3], first: [0.15625, 0.5], pitch: [4.1875, 10 / 3] },
  ),
  // [L] and [G]
  '5168': letter(
    { use: 'Shipping labels' },
    { across: 2, down: 2, label: [3.5, 5], first: [0.5, 0.5], pitch: [4, 5] },
  ),
  // [L] and [G]
  '5371': letter(
    { use: 'Business cards', also: '8371' },
    { across: 2, down: 5, label: [3.5, 2], first: [0.75, 0.5], pitch: [3.5, 2] },
  ),
  // [P]
  '22805': letter(
    { use: 'Square labels' },
    { across: 4, down: 6, label: [1.5, 1.5], first: [0.78125, 0.5], pitch: [1.8125, 1.7] },
  ),
  // [G], as 3274.2
  '8293': letter(
    { use: 'Round labels', also: '3112', isRound: true },
    { across: 4, down: 5, label: [1.5, 1.5], first: [0.5, 0.75], pitch: [2, 2] },
  ),
} satisfies Record<string, AverySheet>

export type AveryName = keyof typeof sheets
export const averySheets: Readonly<Record<AveryName, AverySheet>> = sheets
export const averyNames = Object.keys(sheets) as AveryName[]
