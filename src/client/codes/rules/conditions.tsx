import { CloseButton, Group, MultiSelect, NumberInput, TagsInput, TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import type { RuleInput } from '#contract/code-rules.ts'
import { browserZone } from '../../formats.ts'
import { ZoneSelect } from '../../ui/zone-select.tsx'
import { ErrorLine } from './fields.tsx'
import { choices } from './rule-words.ts'
import type { RulesForm } from './values.ts'

type Kind = Exclude<keyof RuleInput, 'variants' | 'timeZone'>
/** A kind of condition: its name, the value that a new one begins with, and its fields. */
type About = {
  label: string
  start: unknown
  fields: (of: { form: RulesForm; field: string }) => ReactNode
}

/** One or more values out of a list. */
const several = (name: keyof typeof choices, label: string, labels: string): About => ({
  label,
  start: [],
  fields: ({ form, field }) => {
    const input = form.getInputProps(field)
    const change = (chosen: string[]) =>
      input.onChange(name === 'weekdays' ? chosen.map(Number).sort() : chosen)
    return (
      <MultiSelect
        {...input}
        label={labels}
        data={choices[name]()}
        value={input.value.map(String)}
        searchable
        hidePickedOptions
        onChange={change}
      />
    )
  },
})

/** Two fields beside each other. */
const two = (
  label: string,
  start: object,
  type: string,
  labels: Record<string, string>,
): About => ({
  label,
  start,
  fields: ({ form, field }) => (
    <Group gap={12} grow align="flex-start">
      {Object.entries(labels).map(([end, name]) => {
        const input = { label: name, ...form.getInputProps(`${field}.${end}`) }
        return type === 'number' ? (
          <NumberInput key={end} min={1} allowDecimal={false} {...input} />
        ) : (
          <TextInput key={end} type={type} {...input} />
        )
      })}
    </Group>
  ),
})

const kinds: Record<Kind, About> = {
  countries: several('countries', 'Country', 'Countries'),
  regions: {
    label: 'Region',
    start: [],
    fields: ({ form, field }) => (
      <TagsInput
        label="Regions"
        description="Type a name, such as Bavaria, and press Enter."
        {...form.getInputProps(field)}
      />
    ),
  },
  languages: several('languages', 'Language', 'Languages'),
  devices: several('devices', 'Device', 'Devices'),
  systems: several('systems', 'System', 'Systems'),
  weekdays: several('weekdays', 'Days of the week', 'Days of the week'),
  hours: two('Hours', { from: '22:00', until: '06:00' }, 'time', { from: 'From', until: 'Until' }),
  dates: two('Dates', {}, 'date', { from: 'First day', until: 'Last day' }),
  parameter: two('Parameter of the link', { name: '' }, 'text', {
    name: 'Parameter',
    value: 'Value, or any',
  }),
  scans: two('Number of scans', { from: 1, until: 100 }, 'number', {
    from: 'From scan',
    until: 'To scan',
  }),
}
const names = Object.keys(kinds) as Kind[]

/** The conditions that need a time zone */
const inZone: Kind[] = ['weekdays', 'hours', 'dates']
const hasZone = (rule: Partial<RuleInput>) => inZone.some((name) => rule[name] !== undefined)

/** A rule with one more condition. The first that needs a time zone brings that of the browser. */
export const withCondition = <Rule extends Partial<RuleInput>>(rule: Rule, name: Kind): Rule => ({
  ...rule,
  ...(inZone.includes(name) && !hasZone(rule) && { timeZone: browserZone() ?? 'UTC' }),
  [name]: kinds[name].start,
})

/** The conditions that a rule does not have yet. */
export const missingIn = (rule: RuleInput) =>
  names.filter((name) => rule[name] === undefined).map((name) => ({ name, ...kinds[name] }))

export type RuleProps = { form: RulesForm; path: string; rule: RuleInput }

/** The conditions of a rule, each with a button that takes it away. */
export function Conditions({ form, path, rule }: RuleProps) {
  const zone = `${path}.timeZone`
  return (
    <>
      {names
        .filter((name) => rule[name] !== undefined)
        .map((name) => (
          <Group key={name} gap={8} align="flex-start" wrap="nowrap">
            <div style={WIDE}>
              {kinds[name].fields({ form, field: `${path}.${name}` })}
              <ErrorLine>{errorIn(form, `${path}.${name}`, rule[name])}</ErrorLine>
            </div>
            <CloseButton
              mt={26}
              aria-label={`Remove the condition ${kinds[name].label}`}
              onClick={() => form.setFieldValue(`${path}.${name}`, undefined)}
            />
          </Group>
        ))}
      {hasZone(rule) && (
        <ZoneSelect
          {...form.getInputProps(zone)}
          value={rule.timeZone ?? 'UTC'}
          onChange={(value) => form.setFieldValue(zone, value)}
        />
      )}
    </>
  )
}

const WIDE = { flex: 1, minWidth: 0 }

/** An error that no field shows: that of one value of a list, or of two fields together */
function errorIn({ errors }: RulesForm, field: string, value: unknown): ReactNode {
  const isShown = (at: string) => (Array.isArray(value) ? at.startsWith(`${field}.`) : at === field)
  return Object.entries(errors).find(([at]) => isShown(at))?.[1]
}
