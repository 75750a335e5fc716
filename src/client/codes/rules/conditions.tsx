import { CloseButton, Group, MultiSelect, NumberInput, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import type { RuleInput } from '#contract/code-rules.ts'
import { choices, type EditedRule } from './rule-words.ts'

export type FormValues = {
  /** `key` keeps a rule's fields where they are while it moves. */
  rules: (EditedRule & { key: string })[]
  /** As `datetime-local` has it, in the browser's zone */
  startsAt: string
  endsAt: string
  scanLimit: number | ''
  fallbackUrl: string
  asksPassword: boolean
  /** '' keeps the one that there is */
  password: string
  checksDestination: boolean
  fallbackWhenDead: boolean
}
export type RulesForm = UseFormReturnType<FormValues>

type Kind = Exclude<keyof RuleInput, 'variants' | 'timeZone'>
type FieldProps = { form: RulesForm; path: string; rule: EditedRule }

const zone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The kinds of conditions: what a new one begins with, and its fields. */
const kinds: Record<
  Kind,
  { label: string; start: () => Partial<EditedRule>; fields: (props: FieldProps) => ReactNode }
> = {
  countries: {
    label: 'Country',
    start: () => ({ countries: [] }),
    fields: (props) => <Several {...props} name="countries" label="Countries" />,
  },
  regions: {
    label: 'Region',
    start: () => ({ regions: [] }),
    fields: ({ form, path }) => (
      <TagsInput
        label="Regions"
        description="Type a name, such as Bavaria, and press Enter."
        {...form.getInputProps(`${path}.regions`)}
      />
    ),
  },
  languages: {
    label: 'Language',
    start: () => ({ languages: [] }),
    fields: (props) => <Several {...props} name="languages" label="Languages" />,
  },
  devices: {
    label: 'Device',
    start: () => ({ devices: [] }),
    fields: (props) => <Several {...props} name="devices" label="Devices" />,
  },
  systems: {
    label: 'System',
    start: () => ({ systems: [] }),
    fields: (props) => <Several {...props} name="systems" label="Systems" />,
  },
  weekdays: {
    label: 'Days of the week',
    start: () => ({ weekdays: [], timeZone: zone() }),
    fields: (props) => <Several {...props} name="weekdays" label="Days of the week" />,
  },
  hours: {
    label: 'Hours',
    start: () => ({ hours: { from: '22:00', until: '06:00' }, timeZone: zone() }),
    fields: (props) => <Two {...props} name="hours" type="time" labels={['From', 'Until']} />,
  },
  dates: {
    label: 'Dates',
    start: () => ({ dates: {}, timeZone: zone() }),
    fields: (props) => (
      <Two {...props} name="dates" type="date" labels={['First day', 'Last day']} />
    ),
  },
  parameter: {
    label: 'Parameter of the link',
    start: () => ({ parameter: { name: '' } }),
    fields: ({ form, path }) => (
      <Group gap={12} grow align="flex-start">
        <TextInput
          label="Parameter"
          placeholder="table"
          {...form.getInputProps(`${path}.parameter.name`)}
        />
        <TextInput
          label="Value"
          placeholder="Any"
          {...form.getInputProps(`${path}.parameter.value`)}
        />
      </Group>
    ),
  },
  scans: {
    label: 'Number of scans',
    start: () => ({ scans: { from: 1, until: 100 } }),
    fields: ({ form, path }) => (
      <Group gap={12} grow align="flex-start">
        <NumberInput label="From scan" min={1} {...form.getInputProps(`${path}.scans.from`)} />
        <NumberInput label="To scan" min={1} {...form.getInputProps(`${path}.scans.until`)} />
      </Group>
    ),
  },
}
const names = Object.keys(kinds) as Kind[]

/** The conditions that a rule does not have yet: their labels, and what each begins with. */
export const missingIn = (rule: EditedRule) =>
  names.filter((name) => rule[name] === undefined).map((name) => ({ name, ...kinds[name] }))

/** The conditions of a rule, each with a button that takes it away. */
export function Conditions(props: FieldProps) {
  const { form, path, rule } = props
  return names
    .filter((name) => rule[name] !== undefined)
    .map((name) => (
      <Group key={name} gap={8} align="flex-start" wrap="nowrap">
        <div style={WIDE}>{kinds[name].fields(props)}</div>
        <CloseButton
          mt={26}
          aria-label={`Remove the condition ${kinds[name].label}`}
          onClick={() => form.setFieldValue(`${path}.${name}`, undefined)}
        />
      </Group>
    ))
}

const WIDE = { flex: 1, minWidth: 0 }

type SeveralProps = FieldProps & { name: keyof typeof choices; label: string }

function Several({ form, path, rule, name, label }: SeveralProps) {
  const field = `${path}.${name}`
  const { error } = form.getInputProps(field)
  return (
    <MultiSelect
      label={label}
      data={choices[name]()}
      value={(rule[name] ?? []).map(String)}
      searchable
      hidePickedOptions
      error={error}
      onChange={(chosen) =>
        form.setFieldValue(field, name === 'weekdays' ? chosen.map(Number).sort() : chosen)
      }
    />
  )
}

type TwoProps = FieldProps & { name: 'hours' | 'dates'; type: string; labels: [string, string] }

function Two({ form, path, name, type, labels }: TwoProps) {
  return (
    <Group gap={12} grow align="flex-start">
      {(['from', 'until'] as const).map((end, index) => (
        <TextInput
          key={end}
          type={type}
          label={labels[index]}
          {...form.getInputProps(`${path}.${name}.${end}`)}
        />
      ))}
    </Group>
  )
}
