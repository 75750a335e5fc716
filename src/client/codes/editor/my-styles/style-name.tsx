import { Button, Switch, TextInput } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { type KeptLook, lookName } from '#contract/pictures/looks.ts'
import { ApiError } from '../../../api.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { reportFailure } from '../../../ui/messages/failure.ts'
import type { LookValues } from '../../looks/look-values.ts'
import { useChangeLook, useKeepLook } from '../../looks/queries.ts'
import styles from './my-styles.module.css'

/** Keeps the form's look. */
export function NewStyleName({ look, onDone }: { look: LookValues | null; onDone: () => void }) {
  const keep = useKeepLook()
  const [isDefault, setDefault] = useState(false)
  const [error, setError] = useState<string>()
  const save = (name: string) => {
    if (!look) return setError('First put right what is wrong with its colours or texts.')
    keep.mutate(
      { name, look, isDefault },
      { onSuccess: onDone, onError: (refused) => setError(refusalOf(refused, 'save')) },
    )
  }
  return (
    <NameField
      label="Name of the style"
      start=""
      go="Save style"
      busy={keep.isPending}
      {...{ error, setError, save, onDone }}
    >
      <Switch
        size="sm"
        label="Use for new codes"
        checked={isDefault}
        onChange={({ currentTarget }) => setDefault(currentTarget.checked)}
      />
    </NameField>
  )
}

/** Gives a style another name. */
export function StyleName({ one, onDone }: { one: KeptLook; onDone: () => void }) {
  const change = useChangeLook()
  const [error, setError] = useState<string>()
  const save = (name: string) =>
    change.mutate(
      { id: one.id, name },
      { onSuccess: onDone, onError: (refused) => setError(refusalOf(refused, 'rename')) },
    )
  return (
    <NameField
      label={`New name of “${one.name}”`}
      start={one.name}
      go="Rename"
      busy={change.isPending}
      {...{ error, setError, save, onDone }}
    />
  )
}

function refusalOf(error: unknown, what: string): string | undefined {
  if (error instanceof ApiError && error.serverMessage && error.status !== 401) {
    return error.fields.name ?? error.serverMessage
  }
  reportFailure(error, `Failed to ${what} this style`)
  return undefined
}

type Props = {
  label: string
  start: string
  go: string
  busy: boolean
  error: string | undefined
  setError: (error: string | undefined) => void
  save: (name: string) => void
  onDone: () => void
  children?: ReactNode
}

/** It stands in the form of a code, which Enter must not save and Esc must not leave. */
function NameField({ label, start, go, busy, error, setError, save, onDone, children }: Props) {
  const [name, setName] = useState(start)
  const run = () => {
    const read = lookName.safeParse(name)
    if (!read.success) setError(read.error.issues[0]?.message)
    else if (!busy) save(read.data)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') {
      event.preventDefault()
      run()
    }
    if (event.key === 'Escape') onDone()
  }
  return (
    <div className={styles.naming}>
      <TextInput
        label={label}
        ref={focusAndSelect}
        value={name}
        error={error}
        autoComplete="off"
        data-mantine-stop-propagation="true"
        onKeyDown={onKeyDown}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setError(undefined)
        }}
      />
      {children}
      <div className={styles.buttons}>
        <Button variant="default" size="sm" onClick={onDone}>
          Cancel
        </Button>
        <BusyButton size="sm" type="button" busy={busy} busyText="Saving..." onClick={run}>
          {go}
        </BusyButton>
      </div>
    </div>
  )
}

function focusAndSelect(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
