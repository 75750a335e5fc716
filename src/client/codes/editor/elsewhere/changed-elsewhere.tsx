import { Alert, Radio, SimpleGrid, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { HEX_COLOUR } from '#qr/symbol/look.ts'
import type { Values } from '../../../kept-form.ts'
import { artworkWords } from '../artwork/artwork-words.ts'
import { ChoiceCard } from '../choice-card.tsx'
import type { EditorForm, useEditor } from '../editor.ts'
import { fieldNames } from '../field-names.ts'
import { levelNames } from '../printing-options.tsx'
import { styleNames } from '../style-chooser.tsx'
import { type Field, valuesOf } from '../values.ts'
import styles from './changed-elsewhere.module.css'
import { isSame } from './three-ways.ts'

type Dispute = NonNullable<ReturnType<typeof useEditor>['dispute']>
type Props = { dispute: Dispute; form: EditorForm }

const listed = (fields: readonly Field[]) =>
  new Intl.ListFormat('en').format(fields.map((field) => fieldNames[field]))

/** The first choice that nobody has made */
const OPEN = '[data-open] [role=radio]'

/** What was changed both here and elsewhere, with a choice for each field. */
export function ChangedElsewhere({ dispute, form }: Props) {
  const { disputed, taken, values: mine, questions } = dispute
  const panel = useRef<HTMLDivElement>(null)
  const theirs = valuesOf(dispute.theirs)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new dispute is shown
  useEffect(() => panel.current?.focus(), [dispute.theirs])
  // Each try to save leads to what is open.
  useEffect(() => {
    if (questions.reminders > 0) panel.current?.querySelector<HTMLElement>(OPEN)?.focus()
  }, [questions.reminders])
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      mb="md"
      variant="outline"
      color="var(--accent-text)"
      role="group"
      title="This QR code was changed somewhere else too"
    >
      <Stack gap="md">
        <Text size="sm">
          It was saved in another tab, on another device or by somebody else while this form was
          open. Choose what to keep, then save. Nothing has been saved from here yet.
        </Text>
        {disputed.map((field) => (
          <Choice
            key={field}
            field={field}
            form={form}
            mine={mine}
            theirs={theirs}
            isOpen={questions.open.includes(field)}
            isReminded={questions.reminders > 0}
            onAnswer={() => questions.answer(field)}
          />
        ))}
        {taken.length > 0 && (
          <Text size="sm">Also changed there, and filled in below for you: {listed(taken)}.</Text>
        )}
      </Stack>
    </Alert>
  )
}

type ChoiceProps = {
  field: Field
  form: EditorForm
  mine: Values
  theirs: Values
  isOpen: boolean
  isReminded: boolean
  onAnswer: () => void
}

/** Whatever the field below holds by now is mine, unless it is theirs. */
function Choice({ field, form, mine, theirs, isOpen, isReminded, onAnswer }: ChoiceProps) {
  const isTheirs = isSame(field, form.values, theirs)
  const kept = isTheirs ? mine : form.values
  const choose = (choice: string) => {
    onAnswer()
    form.setFieldValue(field, (choice === 'mine' ? kept : theirs)[field])
  }
  const chosen = isTheirs ? 'theirs' : isOpen ? '' : 'mine'
  const side = { field, chosen }
  return (
    <Radio.Group
      data-open={(isOpen && !isTheirs) || undefined}
      label={fieldNames[field]}
      value={chosen}
      onChange={choose}
      error={isOpen && !isTheirs && isReminded ? 'Choose one to save' : undefined}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt={4}>
        <Side value="mine" label="Keep mine" values={kept} {...side} />
        <Side value="theirs" label="Take theirs" values={theirs} {...side} />
      </SimpleGrid>
    </Radio.Group>
  )
}

type SideProps = {
  value: 'mine' | 'theirs'
  chosen: string
  label: string
  field: Field
  values: Values
}

function Side({ value, chosen, label, field, values }: SideProps) {
  const shown = shownValue(field, values)
  return (
    <ChoiceCard
      value={value}
      chosen={chosen}
      isFirst={value === 'mine'}
      className={styles.side}
      p="xs"
    >
      <Text component="span" display="block" size="sm" fw={600}>
        {label}
      </Text>
      <Text component="span" display="block" size="sm" className={styles.value}>
        {HEX_COLOUR.test(shown) && (
          <span className={styles.swatch} style={{ background: shown }} aria-hidden />
        )}
        {shown}
      </Text>
    </ChoiceCard>
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
