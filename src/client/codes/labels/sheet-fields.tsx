import {
  NativeSelect,
  NumberInput,
  Radio,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
} from '@mantine/core'
import type { AveryName } from '#contract/labels/avery-sheets.ts'
import { layOutLabel } from '#contract/labels/label-layout.ts'
import {
  gridSheet,
  grids,
  type LabelSheet,
  type PaperName,
  paperNames,
  papers,
  perPage,
} from '#contract/labels/label-sheets.ts'
import { ChoiceCard } from '../editor/fields.tsx'
import { OwnFields } from './own-fields.tsx'
import { boughtFor, boughtText, captionOf, type SheetChoice } from './sheet-choice.ts'

type Props = {
  choice: SheetChoice
  /** Of own sizes, by field */
  problems: Partial<Record<string, string>>
  /** The first free label, as it was typed */
  first: number
  sheet: LabelSheet
  onChange: (part: Partial<SheetChoice>) => void
  onFirst: (first: number) => void
}

const paperChoices = paperNames.map((name) => ({ value: name, label: papers[name].name }))

/** What is printed on. */
export function SheetFields({ choice, problems, first, sheet, onChange, onFirst }: Props) {
  const { kind, paper } = choice
  return (
    <>
      <SegmentedControl
        aria-label="Print on"
        value={kind}
        onChange={(value) => onChange({ kind: value as SheetChoice['kind'] })}
        data={[
          { value: 'plain', label: 'Plain paper' },
          { value: 'bought', label: 'Avery sheets' },
          { value: 'own', label: 'Own sizes' },
        ]}
      />
      {kind !== 'own' && (
        <SegmentedControl
          aria-label="Paper"
          value={paper}
          onChange={(value) => onChange({ paper: value as PaperName })}
          data={paperChoices}
        />
      )}
      {kind === 'plain' && <GridCards choice={choice} onChange={onChange} />}
      {kind === 'bought' && (
        <NativeSelect
          label="Sheet"
          description="The number stands on the box. Other brands say which number theirs are like."
          value={choice.bought[paper]}
          data={boughtFor(paper).map((name) => ({ value: name, label: boughtText(name) }))}
          onChange={({ currentTarget: { value } }) =>
            onChange({ bought: { ...choice.bought, [paper]: value as AveryName } })
          }
        />
      )}
      {kind === 'own' && <OwnFields {...{ choice, problems, onChange }} />}
      {kind !== 'plain' && (
        <NumberInput
          label="First free label"
          description={`1 on a whole sheet. Labels are counted row by row, up to ${perPage(sheet)}.`}
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

function GridCards({ choice, onChange }: Pick<Props, 'choice' | 'onChange'>) {
  const { paper, grid } = choice
  const caption = captionOf(choice)
  const edgeOf = (one: (typeof grids)[number]) =>
    Math.floor(layOutLabel(gridSheet({ paper, ...one }), caption).code.edge)
  return (
    <Stack gap={4}>
      <Radio.Group
        label="Labels"
        value={grid}
        onChange={(value) => onChange({ grid: value as SheetChoice['grid'] })}
      >
        <SimpleGrid cols={3} spacing="xs" mt={4}>
          {grids.map((one, index) => (
            <ChoiceCard key={one.name} value={one.name} chosen={grid} isFirst={index === 0} p="sm">
              <span>
                <Text component="span" display="block" size="sm" fw={600}>
                  {one.name}
                </Text>
                <Text component="span" display="block" size="xs" c="dimmed">
                  {perPage(one)} a page, code {edgeOf(one)}&nbsp;mm
                </Text>
              </span>
            </ChoiceCard>
          ))}
        </SimpleGrid>
      </Radio.Group>
      <Text size="xs" c="dimmed">
        With thin lines to cut along.
      </Text>
    </Stack>
  )
}
