import {
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { randomId } from '@mantine/hooks'
import { Sparkles } from 'lucide-react'
import { type CodeChange, codeChange, type QrCode } from '#contract/codes.ts'
import { completed } from '#contract/links.ts'
import { plans } from '#contract/plans.ts'
import { RULES_MAX } from '#contract/rule-values.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useCall } from '../../ui/call.ts'
import { DialogBar } from '../../ui/dialog/dialog.tsx'
import { showFieldErrors } from '../../ui/field-errors.ts'
import { focusFirstError } from '../../ui/focus.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { PlansLink } from '../../ui/plans-link.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { type UnsavedChanges, useGuard } from '../editor/unsaved-changes.ts'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import { announceSaved, saveCode } from '../queries.ts'
import type { RulesForm as Form, FormValues } from './conditions.tsx'
import { AddRule, RuleCard } from './rule-card.tsx'
import type { EditedRule } from './rule-words.ts'
import { TryIt } from './try-it.tsx'

type Props = {
  code: QrCode
  hasRegions: boolean
  unsaved: UnsavedChanges
  opened: boolean
  onClose: () => void
}

/** Everything that decides where a code leads beside its destination: rules, dates, limit and fallback. */
export function RulesForm({ code, hasRegions, unsaved, opened, onClose }: Props) {
  const form = useForm<FormValues>({
    initialValues: valuesOf(code),
    validate: (values) => check(changeOf(values, code)),
  })
  useGuard({ opened, unsaved }, form, () => {})
  const save = useCall((change: CodeChange) => saveCode(code.id, change, code.version), {
    failed: 'Failed to save QR code',
    isForm: true,
    after: announceSaved,
  })
  const send = (change: CodeChange) =>
    save.mutate(change, {
      onSuccess: () => {
        form.resetDirty()
        onClose()
      },
      onError: (error) => void showFieldErrors(form, error, { rules_not_in_plan: 'rules' }),
    })
  const submit = form.onSubmit(
    (values) => send(codeChange.parse(changeOf(values, code))),
    focusFirstError(form),
  )
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg" mt={8}>
        <Rules form={form} hasRegions={hasRegions} />
        <TryIt id={code.id} rules={rulesOf(form.values)} />
        <Limits form={form} code={code} onMore={(scanLimit) => send({ scanLimit })} />
      </Stack>
      <DialogBar
        onClose={() => unsaved.leave(onClose)}
        buttons={
          <BusyButton type="submit" busy={save.isPending} busyText="Saving...">
            Save
          </BusyButton>
        }
      />
    </form>
  )
}

function Rules({ form, hasRegions }: { form: Form; hasRegions: boolean }) {
  const { rules } = form.values
  const isInPlan = plans[useOwner().tier].hasRules
  const { error } = form.getInputProps('rules')
  const move = (from: number, to: number) => {
    form.reorderListItem('rules', { from, to })
    const label = to < from ? 'Move up' : 'Move down'
    // The focus stays with the rule that moved.
    requestAnimationFrame(() =>
      document
        .querySelector<HTMLElement>(`[aria-label="${label} rule ${to + 1}"]:enabled`)
        ?.focus(),
    )
  }
  return (
    <Stack gap="sm" component="section" aria-labelledby="rules-title">
      <div>
        <Title order={3} size="h5" id="rules-title">
          Rules
        </Title>
        <Quiet>
          The first rule that fits a visitor decides where the code leads. If none fits, it leads to
          its destination.
        </Quiet>
      </div>
      {!isInPlan && (
        <Note icon={Sparkles}>
          Rules are part of the Professional and Unlimited plans. <PlansLink />
        </Note>
      )}
      {rules.length > 0 && (
        <Stack gap="sm" component="ol" p={0} m={0} style={{ listStyle: 'none' }}>
          {rules.map((rule, index) => (
            <RuleCard
              key={rule.key}
              form={form}
              index={index}
              hasRegions={hasRegions}
              onMove={(to) => move(index, to)}
            />
          ))}
        </Stack>
      )}
      {typeof error === 'string' && (
        <Text size="sm" c="var(--bad)" role="alert">
          {error}
        </Text>
      )}
      {isInPlan && rules.length < RULES_MAX && <AddRule onAdd={(rule) => add(form, rule)} />}
    </Stack>
  )
}

/** Adds a rule, whose destination gets the focus. */
function add(form: Form, conditions: object) {
  const index = form.getValues().rules.length
  const timeZone = 'hours' in conditions && new Intl.DateTimeFormat().resolvedOptions().timeZone
  form.insertListItem('rules', {
    key: randomId(),
    ...conditions,
    ...(timeZone && { timeZone }),
    variants: [{ url: '', share: 100 }],
  })
  setTimeout(() => form.getInputNode(`rules.${index}.variants.0.url`)?.focus())
}

type LimitsProps = { form: Form; code: QrCode; onMore: (limit: number) => void }
const MORE = 1_000

function Limits({ form, code, onMore }: LimitsProps) {
  const { scanLimit: limit, hasPassword } = code
  const { asksPassword, checksDestination, fallbackUrl } = form.values
  const when = (name: 'startsAt' | 'endsAt', label: string) => (
    <TextInput type="datetime-local" label={label} {...form.getInputProps(name)} />
  )
  return (
    <Stack gap="sm" component="section" aria-labelledby="limits-title">
      <Title order={3} size="h5" id="limits-title">
        Dates and limits
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {when('startsAt', 'Starts')}
        {when('endsAt', 'Ends')}
      </SimpleGrid>
      <Group gap={8} align="flex-end">
        <NumberInput
          flex="1 1 200px"
          label="Scan limit"
          description="Only scans by people count, and those it already has."
          placeholder="No limit"
          min={1}
          thousandSeparator
          {...form.getInputProps('scanLimit')}
        />
        {limit !== null && (
          <PlainButton onClick={() => onMore(limit + MORE)}>Add 1,000 more</PlainButton>
        )}
      </Group>
      <TextInput
        type="url"
        label="Fallback"
        description="Where visitors go while the code is paused, hasn’t started, or is over. Without one they see a page that says so."
        placeholder="https://"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('fallbackUrl')}
        onBlur={({ currentTarget }) =>
          form.setFieldValue('fallbackUrl', completed(currentTarget.value))
        }
      />
      <Switch
        label="Ask visitors for a password"
        description="They type it on a page of ours before the code leads on."
        {...form.getInputProps('asksPassword', { type: 'checkbox' })}
      />
      {asksPassword && (
        <TextInput
          label="Password"
          description={hasPassword && 'Leave it empty to keep the one you have.'}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('password')}
        />
      )}
      <Switch
        label="Check the destination daily"
        description="If it stops working, your list says so and we email you."
        {...form.getInputProps('checksDestination', { type: 'checkbox' })}
      />
      {checksDestination && fallbackUrl !== '' && (
        <Switch
          label="Use the fallback while the destination isn’t working"
          {...form.getInputProps('fallbackWhenDead', { type: 'checkbox' })}
        />
      )}
    </Stack>
  )
}

const localOf = (instant: string | null) => {
  if (instant === null) return ''
  const at = new Date(instant)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const valuesOf = ({
  rules,
  startsAt,
  endsAt,
  scanLimit,
  fallbackUrl,
  ...code
}: QrCode): FormValues => ({
  rules: rules.map((rule) => ({ ...rule, key: randomId() })),
  startsAt: localOf(startsAt),
  endsAt: localOf(endsAt),
  scanLimit: scanLimit ?? '',
  fallbackUrl: fallbackUrl === null ? '' : shownAddress(fallbackUrl),
  checksDestination: code.checksDestination,
  fallbackWhenDead: code.fallbackWhenDead,
  asksPassword: code.hasPassword,
  password: '',
})

/** The rules without what only the form needs; empty fields are left out. */
const rulesOf = ({ rules }: FormValues): EditedRule[] =>
  rules.map(({ key: _, ...rule }) =>
    JSON.parse(JSON.stringify(rule), (_name, value) => (value === '' ? undefined : value)),
  )

/** The instant of a field; one that was not touched keeps its seconds. */
const instantOf = (local: string, saved: string | null) => {
  if (local === localOf(saved)) return saved
  return local === '' ? null : new Date(local).toISOString()
}

function changeOf(values: FormValues, code: QrCode) {
  const { fallbackUrl, asksPassword, password } = values
  // An empty password is refused, unless there is one to keep.
  const isKept = asksPassword === code.hasPassword && password === ''
  return {
    rules: rulesOf(values).map(({ variants, ...rule }) => ({
      ...rule,
      variants: variants.map((variant) => ({ ...variant, url: variant.url ?? '' })),
    })),
    startsAt: instantOf(values.startsAt, code.startsAt),
    endsAt: instantOf(values.endsAt, code.endsAt),
    scanLimit: values.scanLimit === '' ? null : values.scanLimit,
    fallbackUrl: fallbackUrl === '' ? null : fallbackUrl,
    checksDestination: values.checksDestination,
    fallbackWhenDead: values.fallbackWhenDead && fallbackUrl !== '',
    ...(!isKept && { password: asksPassword ? password : null }),
  }
}

const check = schemaResolver(codeChange, { sync: true })
