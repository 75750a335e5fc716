import { useState } from 'react'
import { type AveryName, averyNames, averySheets } from '#contract/labels/avery-sheets.ts'
import { type CaptionKind, sheetProblem } from '#contract/labels/label-layout.ts'
import {
  grids,
  type OwnSheet,
  ownSheet,
  type PaperName,
  papers,
  perPage,
} from '#contract/labels/label-sheets.ts'
import { ownSizes, type SheetAsked } from '#contract/labels/labels-asked.ts'
import { inReadersUnit, lengthText, lengthUnit } from '../../formats.ts'

/** The choices of the dialog: the sheet and the texts. */
type SheetChoice = {
  kind: 'plain' | 'bought' | 'own'
  paper: PaperName
  grid: (typeof grids)[number]['name']
  /** The sheet from a shop, for each paper */
  bought: Record<PaperName, AveryName>
  own: OwnSheet
  text: 'name' | 'texts' | 'none'
  hasLink: boolean
}

/** Their readers print on Letter. */
const ON_LETTER = /^(en-(US|CA)|es-(MX|US)|fr-CA|en)$/

const usualPaper = (): PaperName => (ON_LETTER.test(navigator.language) ? 'letter' : 'a4')

function firstChoice(): SheetChoice {
  const paper = usualPaper()
  const { width: pageWidth, height: pageHeight } = papers[paper]
  return {
    kind: 'plain',
    paper,
    grid: 'Small',
    bought: { a4: 'L7160', letter: '5160' },
    own: {
      pageWidth,
      pageHeight,
      columns: 4,
      rows: 6,
      labelWidth: 40,
      labelHeight: 40,
      marginLeft: 15,
      marginTop: 15,
      gapX: 5,
      gapY: 3,
      isRound: false,
      cutLines: false,
    },
    text: 'name',
    hasLink: true,
  }
}

/** The sheet that is chosen, and the last one that labels can be made of, which is shown. */
export function useSheetChoice() {
  const [choice, setChoice] = useState(firstChoice)
  const [shown, setShown] = useState(choice)
  const problems = ownProblems(choice)
  const onChange = (part: Partial<SheetChoice>) => {
    const next = { ...choice, ...part }
    setChoice(next)
    // While a size is being typed, the last sheet that was complete stays in sight.
    if (Object.keys(ownProblems(next)).length === 0) setShown(next)
  }
  return { choice, onChange, problems, isComplete: shown === choice, shown }
}

export const captionOf = ({ text, hasLink }: SheetChoice): CaptionKind => {
  if (text === 'none') return hasLink ? 'link' : 'none'
  return hasLink ? 'name-and-link' : 'name'
}

/** The sheet as a call has it. */
export function askedSheet({ kind, paper, grid, bought, own }: SheetChoice): SheetAsked {
  const { columns, rows } = grids.find(({ name }) => name === grid) ?? grids[0]
  if (kind === 'bought') return { paper, columns, rows, sheet: bought[paper] }
  return { paper, columns, rows, ...(kind === 'own' && { sizes: own }) }
}

/** The errors of own sizes, by field. */
function ownProblems({ kind, own, ...choice }: SheetChoice): Partial<Record<string, string>> {
  if (kind !== 'own') return {}
  const read = ownSizes.safeParse(own)
  if (!read.success) {
    return Object.fromEntries(
      read.error.issues.map(({ path, message }) => [path[0], inReadersUnit(message)]),
    )
  }
  const problem = sheetProblem(ownSheet(own), captionOf({ kind, own, ...choice }))
  return problem ? { [problem.field]: inReadersUnit(problem.message) } : {}
}

/** The sheets from a shop that fit a paper. */
export const boughtFor = (paper: PaperName): AveryName[] =>
  averyNames.filter((name) => averySheets[name].paper === paper)

/** As in "L7160, J8160: 63.5 mm × 38.1 mm, 21 per sheet, address labels". */
export function boughtText(name: AveryName, unit = lengthUnit()): string {
  const { also, use, sheet } = averySheets[name]
  const edges = sheet.isRound ? [sheet.labelWidth] : [sheet.labelWidth, sheet.labelHeight]
  const size = edges.map((edge) => lengthText(edge, unit)).join(' × ')
  const numbers = [name, also].filter(Boolean).join(', ')
  return `${numbers}: ${size}, ${perPage(sheet)} per sheet, ${use.toLowerCase()}`
}
