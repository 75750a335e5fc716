import {
  Checkbox,
  NumberInput,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useFocusTrap } from '@mantine/hooks'
import { PenLine } from 'lucide-react'
import { type FormEvent, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { FREE_EXPIRY_DAYS } from '#contract/billing/plans.ts'
import { SERIES_MAX } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import { problemsOf, type SeriesAsked } from '#contract/series/series.ts'
import { expandSeries, type SeriesValues } from '#contract/series/series-rows.ts'
import { z } from '#contract/zod.ts'
import { ApiError, requestJson } from '../../api.ts'
import { counted, formatCount } from '../../formats.ts'
import { forgetForm, keepSeries, keptText, SERIES } from '../../kept-form.ts'
import { refreshAfterCodeChange } from '../../query-client.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useCall } from '../../ui/call.ts'
import { Columns, useStacked } from '../../ui/columns.tsx'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { PlansLink } from '../../ui/plans-link.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { ownerHere } from '../../workspace.ts'
import { usePlansLink } from '../addresses.ts'
import { LimitOffer } from '../editor/limit-offer.tsx'
import { keptValues, readKept, UNSAVED } from '../editor/reopened-form.ts'
import { type UnsavedChanges, useGuard } from '../editor/unsaved-changes.ts'
import { LabelsPanel } from '../labels/labels-panel.tsx'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import { TagsField } from '../tags/tags-field.tsx'
import { SeriesLook, sharedOf, useSeriesForm } from './series-look.tsx'
import { SeriesPreview } from './series-preview.tsx'

type Props = {
  /** Places that the plan has left; null without a limit, undefined while it is read */
  places: number | null | undefined
  /** False while the dialog fades. */
  opened: boolean
  unsaved: UnsavedChanges
  onCancel: () => void
  onMade: (codes: QrCode[]) => void
}

/** NaN, which an empty field gives, is null in JSON. */
const number = z.number().catch(Number.NaN)

/** The form of a series that was open when the session ended. */
const keptSeries = z.object({
  userId: z.string(),
  /** When it was kept, in epoch milliseconds. */
  at: z.number(),
  values: keptValues,
  kind: z.enum(['numbers', 'lines']),
  numbers: z.object({
    kind: z.literal('numbers'),
    from: number,
    to: number,
    leadingZeros: z.boolean(),
  }),
  text: z.string(),
})
export type KeptSeries = z.infer<typeof keptSeries>

/** The series in a stored text; null if it is another user's, too old or no series at all. */
export const readSeries = (text: string | null, userId: string, now: number) =>
  readKept(keptSeries, text, userId, now)

const START: KeptSeries['numbers'] = { kind: 'numbers', from: 1, to: 20, leadingZeros: false }

const ends = [
  { end: 'from', label: 'From' },
  { end: 'to', label: 'To' },
] as const

/** The form of a series with a preview of all its codes, or the plans with more codes if the plan is full. */
export function SeriesForm({ places, opened, unsaved, onCancel, onMade }: Props) {
  const { user } = useOwner()
  const [kept] = useState(() => readSeries(keptText(SERIES), user.id, Date.now()))
  const form = useSeriesForm(kept?.values)
  const [numbers, setNumbers] = useState(kept?.numbers ?? START)
  const [text, setText] = useState(kept?.text ?? '')
  const [kind, setKind] = useState<SeriesValues['kind']>(kept?.kind ?? 'numbers')
  const make = useCall(
    // All of them, or none.
    (series: SeriesAsked) => requestJson<QrCode[]>('POST', '/api/qr-codes/bulk', series),
    { failed: 'Failed to create QR codes', after: () => void refreshAfterCodeChange() },
  )
  const refused = make.error instanceof ApiError ? make.error.fields : {}
  const {
    getValues,
    values: { name, url },
  } = form
  const typed = useDeferredValue(
    useMemo(() => {
      const values: SeriesValues = kind === 'numbers' ? numbers : { kind, text }
      const { rows, problem } = expandSeries({ name, url, values })
      return { rows, problem, problems: problemsOf(rows) }
    }, [name, url, kind, numbers, text]),
  )
  const { rows, problem } = typed
  // Before a destination is typed there is nothing to find fault with.
  const begun = url.trim() !== '' || (kind === 'lines' && text.trim() !== '')
  const problems = begun ? typed.problems : new Map<number, string>()
  for (const [field, message] of Object.entries(refused)) {
    const row = /^rows\.(\d+)\./.exec(field)?.[1]
    if (row && !make.isPending) problems.set(Number(row), message)
  }
  const dirty = form.isDirty() || text !== '' || numbers !== START
  useGuard({ opened, unsaved }, { isDirty: () => dirty }, () => {
    const userId = ownerHere(user.id)
    const form = { userId, at: Date.now(), values: getValues(), kind, numbers, text }
    if (dirty) keepSeries(form satisfies KeptSeries)
  })
  useEffect(() => {
    forgetForm(SERIES)
    // A page that the browser restored from its cache had kept it when it was left.
    return () => forgetForm(SERIES)
  }, [])
  const seePlans = usePlansLink(unsaved.leave)
  const isStacked = useStacked()
  if (places === 0) return <LimitOffer seePlans={seePlans} onClose={onCancel} />
  const tooMany = typeof places === 'number' && rows.length > places
  const canSave = rows.length > 0 && typed.problems.size === 0 && !tooMany && problem === null
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (make.isPending || !canSave) return
    const shared = sharedOf(form)
    if (shared) make.mutate({ ...shared, rows }, { onSuccess: onMade })
  }
  return (
    <form noValidate onChange={() => make.reset()} onSubmit={save}>
      {kept && (
        <Note icon={PenLine} role="status" mb="md">
          {UNSAVED}
        </Note>
      )}
      {typeof places === 'number' ? (
        <Text size="sm" mb="md">
          Your plan has {counted(places, 'QR code')} left. <PlansLink onClick={seePlans} />
        </Text>
      ) : (
        <Quiet mb="md">Up to {formatCount(SERIES_MAX)} QR codes at a time.</Quiet>
      )}
      <Columns isStacked={isStacked}>
        <Stack gap="md">
          <TextInput
            label="Name"
            placeholder="Table {n}"
            description="{n} becomes the number or the line. Without it, the number goes at the end."
            data-autofocus
            {...form.getInputProps('name')}
            error={undefined}
          />
          <TextInput
            label="Destination"
            placeholder="https://example.com/menu?table={n}"
            description="One page for all, or a page for each with {n}."
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            {...form.getInputProps('url')}
            error={undefined}
          />
          <SegmentedControl
            aria-label="Numbers or a list"
            value={kind}
            onChange={setKind}
            data={[
              { value: 'numbers', label: 'Numbers' },
              { value: 'lines', label: 'A list' },
            ]}
          />
          {kind === 'numbers' ? (
            <>
              <SimpleGrid cols={2} spacing="sm">
                {ends.map(({ end, label }) => (
                  <NumberInput
                    key={end}
                    label={label}
                    value={numbers[end]}
                    min={0}
                    allowDecimal={false}
                    onChange={(to) =>
                      setNumbers({ ...numbers, [end]: to === '' ? Number.NaN : Number(to) })
                    }
                  />
                ))}
              </SimpleGrid>
              <Checkbox
                label="Leading zeros, such as 01"
                checked={numbers.leadingZeros}
                onChange={({ currentTarget: { checked } }) =>
                  setNumbers({ ...numbers, leadingZeros: checked })
                }
              />
            </>
          ) : (
            <Textarea
              label="One line for each QR code"
              description="A line may end with its own destination, after a comma or a tab. You can paste from a spreadsheet."
              placeholder={'Terrace\nBar, https://example.com/bar'}
              minRows={6}
              maxRows={10}
              autosize
              value={text}
              onChange={({ currentTarget: { value } }) => setText(value)}
            />
          )}
          <TagsField {...form.getInputProps('tags')} />
          <SeriesLook form={form} />
        </Stack>
        <SeriesPreview
          rows={rows}
          problems={problems}
          problem={problem}
          look={lookOf(form.values)}
        />
      </Columns>
      <DialogBar
        onClose={onCancel}
        buttons={
          <BusyButton
            type="submit"
            busy={make.isPending}
            busyText={`Creating ${rows.length}...`}
            disabled={!canSave}
          >
            {rows.length === 0 ? 'Create QR codes' : `Create ${counted(rows.length, 'QR code')}`}
          </BusyButton>
        }
      >
        {tooMany && (
          <Text size="sm" c={BAD_TEXT} role="status">
            This series has {counted(rows.length, 'QR code')}, {formatCount(rows.length - places)}{' '}
            more than your plan has left.
          </Text>
        )}
      </DialogBar>
    </form>
  )
}

type ResultProps = { codes: QrCode[]; onClose: () => void }

/** The next steps with new codes: print labels, or download all pictures. */
export function SeriesResult({ codes, onClose }: ResultProps) {
  const trap = useFocusTrap(true)
  const end = codes[0]?.expiresAt
  return (
    <div ref={trap}>
      <Text mb="sm">
        They’re in your list, and you can change each one separately.
        {end && ` On the Free plan, they stop working after ${FREE_EXPIRY_DAYS} days.`}
      </Text>
      <LabelsPanel codes={codes} onClose={onClose} hasPictures />
    </div>
  )
}
