import {
  Checkbox,
  NativeSelect,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
} from '@mantine/core'
import { useState } from 'react'
import type { AveryName } from '#contract/labels/avery-sheets.ts'
import { layOutLabel } from '#contract/labels/label-layout.ts'
import {
  gridSheet,
  grids,
  type LabelSheet,
  OWN,
  type OwnSheet,
  type PaperName,
  paperNames,
  papers,
  perPage,
} from '#contract/labels/label-sheets.ts'
import { lengthText } from '../../formats.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { CardText, Choices } from '../editor/fields.tsx'
import { LengthInput } from '../length-input.tsx'
import { boughtFor, boughtText, captionOf, type useSheetChoice } from './sheet-choice.ts'

type SheetProps = ReturnType<typeof useSheetChoice>
type Size = Exclude<keyof OwnSheet, 'isRound' | 'cutLines'>
type Field = { size: Size; label: string; isCount?: boolean }

const pageFields: Field[] = [
  { size: 'pageWidth', label: 'Page width' },
  { size: 'pageHeight', label: 'Page height' },
]
const fields: Field[] = [
  { size: 'columns', label: 'Labels across', isCount: true },
  { size: 'rows', label: 'Labels down', isCount: true },
  { size: 'labelWidth', label: 'Label width' },
  { size: 'labelHeight', label: 'Label height' },
  { size: 'marginLeft', label: 'Left margin' },
  { size: 'marginTop', label: 'Top margin' },
  { size: 'gapX', label: 'Gap across' },
  { size: 'gapY', label: 'Gap down' },
]

type PageKind = PaperName | 'other'
const paperChoices = paperNames.map((name) => ({ value: name, label: papers[name].name }))
const pageKinds = [...paperChoices, { value: 'other' as const, label: 'Other' }]

function pageKindOf({ pageWidth, pageHeight }: OwnSheet): PageKind {
  const isOn = (name: PaperName) =>
    papers[name].width === pageWidth && papers[name].height === pageHeight
  return paperNames.find(isOn) ?? 'other'
}

/** The sizes of a measured sheet. */
function OwnFields({ choice: { own }, problems, onChange }: SheetProps) {
  const [page, setPage] = useState(() => pageKindOf(own))
  const change = (part: Partial<OwnSheet>) => onChange({ own: { ...own, ...part } })
  const choosePage = (kind: PageKind) => {
    setPage(kind)
    if (kind === 'other') return
    const { width: pageWidth, height: pageHeight } = papers[kind]
    change({ pageWidth, pageHeight })
  }
  const setSize = (size: Size, value: number) => {
    const both = own.isRound && (size === 'labelWidth' || size === 'labelHeight')
    change(both ? { labelWidth: value, labelHeight: value } : { [size]: value })
  }
  return (
    <>
      <SegmentedControl aria-label="Paper" value={page} onChange={choosePage} data={pageKinds} />
      <SimpleGrid cols={2} spacing="sm">
        {[...(page === 'other' ? pageFields : []), ...fields].map(({ size, label, isCount }) => {
          const field = { label, error: problems[size], value: own[size] }
          const change = (value: number) => setSize(size, value)
          return isCount ? (
            <NumberInput
              key={size}
              {...field}
              value={Number.isNaN(field.value) ? '' : field.value}
              clampBehavior="none"
              allowDecimal={false}
              allowNegative={false}
              onChange={(typed) => change(typed === '' ? Number.NaN : Number(typed))}
            />
          ) : (
            <LengthInput key={size} {...field} max={OWN.pageMax} step={0.5} onChange={change} />
          )
        })}
      </SimpleGrid>
      <Checkbox
        label="Round labels"
        checked={own.isRound}
        onChange={({ currentTarget: { checked } }) =>
          change({ isRound: checked, ...(checked && { labelHeight: own.labelWidth }) })
        }
      />
      <Checkbox
        label="Cut lines"
        checked={own.cutLines}
        onChange={({ currentTarget: { checked } }) => change({ cutLines: checked })}
      />
    </>
  )
}

type Props = SheetProps & {
  /** The first free label, as it was typed */
  first: number
  sheet: LabelSheet
  onFirst: (first: number) => void
}

/** The choice of the sheet. */
export function SheetFields({ first, sheet, onFirst, ...sheetChoice }: Props) {
  const { choice, onChange } = sheetChoice
  const { kind, paper } = choice
  return (
    <>
      <SegmentedControl
        aria-label="Print on"
        value={kind}
        onChange={(value) => onChange({ kind: value })}
        data={[
          { value: 'plain', label: 'Plain paper' },
          { value: 'bought', label: 'Avery sheets' },
          { value: 'own', label: 'Custom size' },
        ]}
      />
      {kind !== 'own' && (
        <SegmentedControl
          aria-label="Paper"
          value={paper}
          onChange={(value) => onChange({ paper: value })}
          data={paperChoices}
        />
      )}
      {kind === 'plain' && <GridCards {...sheetChoice} />}
      {kind === 'bought' && (
        <NativeSelect
          label="Sheet"
          description="You’ll find the number on the box. Other brands list the matching Avery number."
          value={choice.bought[paper]}
          data={boughtFor(paper).map((name) => ({ value: name, label: boughtText(name) }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ bought: { ...choice.bought, [paper]: value as AveryName } })
          }
        />
      )}
      {kind === 'own' && <OwnFields {...sheetChoice} />}
      {kind !== 'plain' && (
        <NumberInput
          label="First free label"
          description={`Use 1 for a full sheet. Count row by row, up to ${perPage(sheet)}.`}
          value={first}
          min={1}
          max={perPage(sheet)}
          clampBehavior="blur"
          allowDecimal={false}
          allowNegative={false}
          onChange={(value) => onFirst(Math.max(1, Number(value) || 1))}
        />
      )}
    </>
  )
}

function GridCards({ choice, onChange }: SheetProps) {
  const { paper, grid } = choice
  const caption = captionOf(choice)
  const edgeOf = (one: (typeof grids)[number]) =>
    Math.floor(layOutLabel(gridSheet({ paper, ...one }), caption).code.edge)
  return (
    <Stack gap={4}>
      <Choices
        label="Labels"
        items={grids}
        chosen={grids.find(({ name }) => name === grid)}
        idOf={({ name }) => name}
        onChange={({ name }) => onChange({ grid: name })}
        grid={{ cols: 3, spacing: 'xs' }}
        card={() => ({ p: 'sm' })}
      >
        {(one) => (
          <CardText
            name={one.name}
            line={`${perPage(one)} per page, code ${lengthText(edgeOf(one)).replace(' ', '\u00a0')}`}
          />
        )}
      </Choices>
      <Quiet size="xs">With thin cut lines.</Quiet>
    </Stack>
  )
}
