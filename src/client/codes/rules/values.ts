import { schemaResolver, type UseFormReturnType } from '@mantine/form'
import { randomId } from '@mantine/hooks'
import type { RuleInput } from '#contract/codes/code-rules.ts'
import { codeChange, type QrCode } from '#contract/codes/codes.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { browserZone, momentIn } from '../../formats.ts'

/** As `datetime-local` has it, in the browser's zone */
const localOf = (instant: string | null) =>
  instant === null ? '' : momentIn(browserZone() ?? 'UTC', instant)

export const valuesOf = (code: QrCode) => ({
  /** `key` keeps a rule's fields where they are while it moves. */
  rules: code.rules.map((rule): RuleInput & { key: string } => ({ ...rule, key: randomId() })),
  startsAt: localOf(code.startsAt),
  endsAt: localOf(code.endsAt),
  scanLimit: code.scanLimit ?? ('' as const),
  fallbackUrl: shownAddress(code.fallbackUrl ?? ''),
  checksDestination: code.checksDestination,
  fallbackWhenDead: code.fallbackWhenDead,
  asksPassword: code.hasPassword,
  /** '' keeps the one that there is */
  password: '',
})
type FormValues = ReturnType<typeof valuesOf>
export type RulesForm = UseFormReturnType<FormValues>

/** The field of a path, also of one that names several fields or one of a field's values */
export const fieldAt = (form: Pick<RulesForm, 'getInputNode'>, path: string) =>
  form.getInputNode(path) ??
  form.getInputNode(`${path}.from`) ??
  form.getInputNode(`${path}.name`) ??
  form.getInputNode(path.replace(/\.\d+$/, ''))

/** Fields of conditions that may be empty; those of hours may not */
const OPTIONAL = ['from', 'until', 'value']

/** The rules without what only the form needs; optional fields that are empty are left out. */
export const rulesOf = ({ rules }: FormValues): RuleInput[] =>
  rules.map(({ key: _, hours, ...rule }) => ({
    ...JSON.parse(JSON.stringify(rule), (name, value) =>
      value === '' && OPTIONAL.includes(name) ? undefined : value,
    ),
    ...(hours && { hours }),
  }))

/** The instant of a field. A text that is none stays, so that it is refused. */
export function instantOf(local: string): string {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? local : at.toISOString()
}

/** The same; a field that was not touched keeps its seconds. */
function changedInstant(local: string, saved: string | null): string | null {
  if (local === localOf(saved)) return saved
  return local === '' ? null : instantOf(local)
}

export function changeOf(values: FormValues, code: QrCode) {
  const { fallbackUrl, asksPassword, password } = values
  // An empty password is refused, unless there is one to keep.
  const isKept = asksPassword === code.hasPassword && password === ''
  return {
    rules: rulesOf(values),
    startsAt: changedInstant(values.startsAt, code.startsAt),
    endsAt: changedInstant(values.endsAt, code.endsAt),
    scanLimit: values.scanLimit === '' ? null : values.scanLimit,
    fallbackUrl: fallbackUrl === '' ? null : fallbackUrl,
    checksDestination: values.checksDestination,
    fallbackWhenDead: values.fallbackWhenDead && fallbackUrl !== '',
    ...(!isKept && { password: asksPassword ? password : null }),
  }
}

const errorsOf = schemaResolver(codeChange, { sync: true })

/** The errors of a form by their fields. Zod's own words are not for people. */
export function check(values: FormValues, code: QrCode) {
  const { startsAt, endsAt } = values
  const errors = {
    ...(endsAt && endsAt <= startsAt && { endsAt: 'Ends before it starts' }),
    ...errorsOf(changeOf(values, code)),
  }
  return Object.fromEntries(
    Object.entries(errors).map(([field, error]) => [
      field,
      /^(Invalid|Too)/.test(String(error)) ? 'Enter a valid value' : error,
    ]),
  )
}
