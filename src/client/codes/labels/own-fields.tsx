import { Checkbox, NumberInput, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import {
  OWN,
  type OwnSheet,
  type PaperName,
  paperNames,
  papers,
} from '#contract/labels/label-sheets.ts'
import formStyles from '../../ui/form.module.css'
import type { SheetChoice } from './sheet-choice.ts'

type Props = {
  choice: SheetChoice
  problems: Partial<Record<string, string>>
  onChange: (part: Partial<SheetChoice>) => void
}

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
const pageKinds = [
  ...paperNames.map((name) => ({ value: name as PageKind, label: papers[name].name })),
  { value: 'other' as const, label: 'Other' },
]

function pageKindOf({ pageWidth, pageHeight }: OwnSheet): PageKind {
  const isOn = (name: PaperName) =>
    papers[name].width === pageWidth && papers[name].height === pageHeight
  return paperNames.find(isOn) ?? 'other'
}

/** A sheet as somebody measured it. */
export function OwnFields({ choice: { own }, problems, onChange }: Props) {
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
      <SegmentedControl
        aria-label="Paper"
        value={page}
        onChange={(value) => choosePage(value as PageKind)}
        data={pageKinds}
      />
      <div className={formStyles.pair}>
        {[...(page === 'other' ? pageFields : []), ...fields].map(({ size, label, isCount }) => (
          <NumberInput
            key={size}
            label={label}
            suffix={isCount ? '' : ' mm'}
            value={Number.isNaN(own[size]) ? '' : own[size]}
            max={isCount ? undefined : OWN.pageMax}
            clampBehavior="none"
            step={isCount ? 1 : 0.5}
            decimalScale={isCount ? 0 : 2}
            allowNegative={false}
            error={problems[size]}
            onChange={(value) => setSize(size, value === '' ? Number.NaN : Number(value))}
          />
        ))}
      </div>
      <Checkbox
        label="Round labels"
        checked={own.isRound}
        onChange={({ currentTarget: { checked } }) =>
          change({ isRound: checked, ...(checked && { labelHeight: own.labelWidth }) })
        }
      />
      <Checkbox
        label="Lines to cut along"
        checked={own.cutLines}
        onChange={({ currentTarget: { checked } }) => change({ cutLines: checked })}
      />
    </>
  )
}
