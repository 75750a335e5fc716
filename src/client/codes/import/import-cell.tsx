import { Loader, Text, TextInput } from '@mantine/core'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { ImportField } from '#contract/imports.ts'
import { serverMessageOf } from '../../api.ts'
import { fieldNames } from './import-words.ts'
import { useChangeRow } from './queries.ts'

export type EditedField = Extract<ImportField, 'name' | 'url' | 'vanityUrl'>

type Props = {
  id: string
  row: number
  field: EditedField
  text: string
  /** The error of the cell, if it has one */
  problem: string | undefined
  /** The reason why the code goes without it, if the row is ready */
  warning?: string | null
}

/** A cell that can be changed, since something is wrong with it. The server checks the row again. */
export function EditedCell({ id, row, field, text, problem, warning }: Props) {
  const [typed, setTyped] = useState(text)
  const change = useChangeRow(id, row)
  const save = () => {
    if (typed.trim() === text || change.isPending) return
    change.mutate({ [field]: typed }, { onSuccess: ({ row: now }) => setTyped(now[field] ?? '') })
  }
  const refusal = change.error ? (serverMessageOf(change.error) ?? NOT_SAVED) : undefined
  const error = refusal ?? problem
  const isGood = !error && !warning && typed.trim() === text
  return (
    <TextInput
      size="sm"
      aria-label={`${fieldNames[field]} in row ${row}`}
      placeholder={fieldNames[field]}
      dir="auto"
      value={typed}
      error={error}
      description={!error && warning}
      descriptionProps={{ fz: 'sm', c: 'var(--doubtful)' }}
      inputWrapperOrder={['input', 'error', 'description']}
      rightSection={<State isBusy={change.isPending} isGood={isGood} />}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
    />
  )
}

const NOT_SAVED = 'This change wasn’t saved. Try again.'

function State({ isBusy, isGood }: { isBusy: boolean; isGood: boolean }) {
  if (isBusy) return <Loader size={16} aria-label="Checking" />
  return isGood ? <CircleCheck size={16} color="var(--good)" aria-label="Fixed" role="img" /> : null
}

const MAIN = { fw: 600 }
const QUIET = { c: 'dimmed' }

type TextProps = { text: string; warnings?: readonly string[]; isMain?: boolean }

/** A cell that is fine, or loses something. */
export function TextCell({ text, warnings = [], isMain }: TextProps) {
  return (
    <>
      {text !== '' && (
        <Text size="sm" {...(isMain ? MAIN : QUIET)} lineClamp={2} title={text} dir="auto">
          {text}
        </Text>
      )}
      {warnings.map((warning) => (
        <Text key={warning} size="sm" c="var(--doubtful)">
          {warning}
        </Text>
      ))}
    </>
  )
}
