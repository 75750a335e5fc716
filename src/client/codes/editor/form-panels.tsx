import { Alert, Group, Stack, Table, Text } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { BIN_DAYS } from '#contract/codes/code-values.ts'
import { HEX_COLOUR } from '#qr/symbol/look.ts'
import type { Values } from '../../kept-form.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { artworkWords } from './artwork/artwork-words.ts'
import styles from './code-form.module.css'
import { styleNames } from './design-fields.tsx'
import type { OpenForm } from './open-form.ts'
import { levelNames } from './printing/printing-options.tsx'
import { differingFields, type Field, fieldNames, valuesOf } from './values.ts'

type PanelProps = {
  title: string
  color: string
  /** The panel takes the focus whenever this changes. */
  focusKey?: unknown
  children: ReactNode
}

/** Stays above the form until it is answered, and takes the focus. */
export function FormPanel({ title, color, focusKey, children }: PanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new key leads here
  useEffect(() => panel.current?.focus(), [focusKey])
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      mb="md"
      variant="outline"
      color={color}
      role="group"
      title={title}
    >
      <Stack gap="sm" align="flex-start">
        {children}
      </Stack>
    </Alert>
  )
}

type Changed = Pick<OpenForm, 'conflict' | 'isGone' | 'form' | 'saving' | 'keepMine' | 'takeTheirs'>

/** The code was changed elsewhere while its form was open: the fields that differ, and one answer for all. */
export function ChangedElsewhere({ conflict, isGone, form, saving, ...answers }: Changed) {
  if (!conflict || isGone) return null
  const { values } = form
  const theirs = valuesOf(conflict.newer)
  return (
    <FormPanel
      title="This QR code was changed somewhere else too"
      color="var(--accent-text)"
      focusKey={conflict.attempts}
    >
      <Text size="sm">
        It was saved in another tab, on another device, or by someone else while this form was open.
        Your changes haven’t been saved yet.
      </Text>
      <Table layout="fixed" className={styles.differences}>
        <thead>
          <tr>
            <th scope="col">Mine</th>
            <th scope="col">Theirs</th>
          </tr>
        </thead>
        {differingFields(values, theirs).map((field) => (
          <tbody key={field}>
            <tr>
              <th scope="rowgroup" colSpan={2}>
                {fieldNames[field]}
              </th>
            </tr>
            <tr>
              <Shown text={shownValue(field, values)} />
              <Shown text={shownValue(field, theirs)} />
            </tr>
          </tbody>
        ))}
      </Table>
      <Group gap="sm">
        <BusyButton busy={saving} busyText="Saving..." onClick={answers.keepMine}>
          Keep mine
        </BusyButton>
        <PlainButton onClick={answers.takeTheirs}>Take theirs</PlainButton>
      </Group>
    </FormPanel>
  )
}

function Shown({ text }: { text: string }) {
  return (
    <td>
      {HEX_COLOUR.test(text) && <span style={{ background: text }} aria-hidden />}
      {text}
    </td>
  )
}

/** A field's value in the words of the form. */
export function shownValue(field: Field, values: Values): string {
  if (field === 'style') return styleNames[values.style]
  if (field === 'ecc') return levelNames[values.ecc]
  if (field === 'artwork') return artworkWords(values.artwork)
  if (field === 'tags') return values.tags.join(', ') || 'None'
  if (field === 'compact' || field === 'passQuery') return values[field] ? 'On' : 'Off'
  if (field === 'vanityUrl') return values.vanityUrl || 'Empty (auto-generated code)'
  return values[field]
}

type Gone = Pick<OpenForm, 'saving' | 'makeNew' | 'leave'> & { isEdit: boolean }

/** The code was deleted elsewhere while its form was open. The typed text is not lost. */
export function GoneElsewhere({ isEdit, saving, makeNew, leave }: Gone) {
  return (
    <FormPanel
      title={isEdit ? 'This QR code was deleted somewhere else' : 'This form was open for too long'}
      color={BAD_TEXT}
    >
      <Text size="sm">
        {isEdit
          ? `What you typed is still here. You can save it as a new QR code, which gets its own short link. If the old code is already printed, close this form and restore it from the trash, where it stays for ${BIN_DAYS} days.`
          : 'What you typed is still here. You can save it as a new QR code.'}
      </Text>
      <Group gap="sm">
        <BusyButton busy={saving} busyText="Saving..." onClick={makeNew}>
          Save as a new QR code
        </BusyButton>
        <PlainButton onClick={leave}>Close</PlainButton>
      </Group>
    </FormPanel>
  )
}

/** The draft could not be made. The toast says why. */
export function DraftFailure({ onTryAgain }: { onTryAgain: () => void }) {
  return (
    <FormPanel title="This form can’t be saved yet" color={BAD_TEXT}>
      <PlainButton size="sm" onClick={onTryAgain}>
        Try again
      </PlainButton>
    </FormPanel>
  )
}
