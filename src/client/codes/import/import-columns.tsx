import { NativeSelect, SimpleGrid, Text } from '@mantine/core'
import { useState } from 'react'
import { type ImportField, type ImportNow, importFields } from '#contract/imports.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Section } from '../editor/fields.tsx'
import styles from './import.module.css'
import { fieldNames, hasDestination, readText } from './import-words.ts'
import { useReadAgain } from './queries.ts'

const NOT_IMPORTED = ''
const choices = [
  { value: NOT_IMPORTED, label: 'Not imported' },
  ...importFields.map((field) => ({ value: field as string, label: fieldNames[field] })),
]

/** The columns of the file, each with a choice of the field that it is read as. */
export function ImportColumns({ now: { id, columns } }: { now: ImportNow }) {
  const [chosen, setChosen] = useState(columns.map(({ as }) => as))
  const update = useReadAgain(id)
  const choose = (at: number, field: ImportField | null) =>
    setChosen(
      chosen.map((as, index) => {
        if (index === at) return field
        // A field comes from one column.
        return as === field ? null : as
      }),
    )
  const isChanged = chosen.some((as, at) => as !== columns[at]?.as)
  const isKnown = hasDestination(columns)
  return (
    <Section title="Columns" chosen={[readText(columns)]} hasError={!isKnown}>
      {!isKnown && (
        <Text size="sm">
          We don’t recognize these columns. Choose at least the one with the destinations.
        </Text>
      )}
      <SimpleGrid minColWidth={190} spacing={16} verticalSpacing={12}>
        {columns.map(({ name, sample }, at) => (
          <NativeSelect
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
            key={at}
            label={name || `Column ${at + 1}`}
            description={sample ? `Such as “${sample}”` : 'Empty in the first row'}
            miw={0}
            labelProps={{ style: { overflowWrap: 'anywhere' } }}
            descriptionProps={{ className: styles.sample }}
            data={choices}
            value={chosen[at] ?? NOT_IMPORTED}
            onChange={({ currentTarget: { value } }) =>
              choose(at, value === NOT_IMPORTED ? null : (value as ImportField))
            }
          />
        ))}
      </SimpleGrid>
      <BusyButton
        variant="default"
        busy={update.isPending}
        busyText="Updating..."
        disabled={!isChanged}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => update.mutate({ columns: chosen })}
      >
        Update preview
      </BusyButton>
    </Section>
  )
}
