import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { Link } from 'wouter'
import { BIN_DAYS } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import { HEX_COLOUR } from '#qr/symbol/look.ts'
import { ApiError, serverMessageOf } from '../../api.ts'
import type { Values } from '../../kept-form.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { PLANS, usePlansLink } from '../addresses.ts'
import { artworkWords } from './artwork/artwork-words.ts'
import styles from './code-form.module.css'
import { levelNames } from './printing-options.tsx'
import { styleNames } from './style-chooser.tsx'
import type { UnsavedChanges } from './unsaved-changes.ts'
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

type ChangedProps = {
  newer: QrCode
  values: Values
  /** How often a save has led here */
  attempts: number
  busy: boolean
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** The code was changed elsewhere while its form was open: the fields that differ, and one answer for all. */
export function ChangedElsewhere(props: ChangedProps) {
  const { newer, values, attempts, busy, onKeepMine, onTakeTheirs } = props
  const theirs = valuesOf(newer)
  return (
    <FormPanel
      title="This QR code was changed somewhere else too"
      color="var(--accent-text)"
      focusKey={attempts}
    >
      <Text size="sm">
        It was saved in another tab, on another device or by somebody else while this form was open.
        Nothing has been saved from here yet.
      </Text>
      <table className={styles.differences}>
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
      </table>
      <Group gap="sm">
        <BusyButton busy={busy} busyText="Saving..." onClick={onKeepMine}>
          Keep mine
        </BusyButton>
        <Button variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
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
  if (field === 'compact') return values.compact ? 'On' : 'Off'
  if (field === 'vanityUrl') return values.vanityUrl || 'Empty (auto-generated code)'
  return values[field]
}

type GoneProps = { isEdit: boolean; busy: boolean; onSaveAsNew: () => void; onClose: () => void }

/** The code was deleted elsewhere while its form was open. The typed text is not lost. */
export function GoneElsewhere({ isEdit, busy, onSaveAsNew, onClose }: GoneProps) {
  return (
    <FormPanel
      title={isEdit ? 'This QR code was deleted somewhere else' : 'This form was open for too long'}
      color={BAD_TEXT}
    >
      <Text size="sm">
        {isEdit
          ? `What you typed is still here. You can save it as a new QR code, which gets a link of its own. If the old code is printed, close this form and restore it from the bin, where it stays for ${BIN_DAYS} days.`
          : 'What you typed is still here. You can save it as a new QR code.'}
      </Text>
      <Group gap="sm">
        <BusyButton busy={busy} busyText="Saving..." onClick={onSaveAsNew}>
          Save as a new QR code
        </BusyButton>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </FormPanel>
  )
}

type DraftProps = { error: Error | null; unsaved: UnsavedChanges }

/** The toast disappears after five seconds. This alert stays and says why the draft is missing. */
export function DraftRefusal({ error, unsaved }: DraftProps) {
  if (!error) return null
  const atLimit = error instanceof ApiError && error.code === 'plan_limit_reached'
  return (
    <Alert
      color={BAD_TEXT}
      variant="outline"
      mb="md"
      title={atLimit && 'No room for another QR code'}
    >
      <Stack gap="sm" align="flex-start">
        {serverMessageOf(error) ?? 'Failed to create QR code'}
        {atLimit && <PlansLink unsaved={unsaved} />}
      </Stack>
    </Alert>
  )
}

/** The link takes the focus, unless the user is typing already. */
function PlansLink({ unsaved }: { unsaved: UnsavedChanges }) {
  const goToPlans = usePlansLink(unsaved.leave)
  const link = useRef<HTMLAnchorElement>(null)
  const focusUnlessTyping = useEffectEvent(() => {
    if (!unsaved.areThere()) link.current?.focus()
  })
  useEffect(() => {
    focusUnlessTyping()
  }, [])
  return (
    <Button ref={link} component={Link} href={PLANS} size="sm" data-autofocus onClick={goToPlans}>
      See the plans
    </Button>
  )
}
