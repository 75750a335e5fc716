import {
  CloseButton,
  Group,
  Input,
  MultiSelect,
  NumberInput,
  TagsInput,
  TextInput,
} from '@mantine/core'
import type { RuleInput } from '#contract/codes/code-rules.ts'
import { browserZone } from '../../formats.ts'
import { ZoneSelect } from '../../ui/zone-select.tsx'
import { type Kind, kinds, timed } from './rule-words.ts'
import type { RulesForm } from './values.ts'

const names = Object.keys(kinds) as Kind[]
const isTimed = (rule: Partial<RuleInput>) => timed.some((name) => rule[name] !== undefined)

/** A rule with one more condition. The first that needs a time zone brings that of the browser. */
export const withCondition = <Rule extends Partial<RuleInput>>(rule: Rule, name: Kind): Rule => ({
  ...rule,
  ...(timed.includes(name) && !isTimed(rule) && { timeZone: browserZone() ?? 'UTC' }),
  [name]: kinds[name].start,
})

/** The conditions that a rule does not have yet. */
export const missingIn = (rule: RuleInput) => names.filter((name) => rule[name] === undefined)

export type RuleProps = { form: RulesForm; path: string; rule: RuleInput }

/** The conditions of a rule, each with a button that takes it away. */
export function Conditions({ form, path, rule }: RuleProps) {
  return (
    <>
      {names
        .filter((name) => rule[name] !== undefined)
        .map((name) => (
          <Condition key={name} form={form} path={`${path}.${name}`} about={kinds[name]} />
        ))}
      {isTimed(rule) && <ZoneSelect {...form.getInputProps(`${path}.timeZone`)} />}
    </>
  )
}

type Props = { form: RulesForm; path: string; about: (typeof kinds)[Kind] }

function Condition({ form, path, about }: Props) {
  const isList = 'field' in about
  // An error that no field shows: that of one value of a list, or of two fields together
  const isHere = (at: string) => (isList ? at.startsWith(`${path}.`) : at === path)
  const error = Object.entries(form.errors).find(([at]) => isHere(at))?.[1]
  return (
    <Group gap={8} align="flex-start" wrap="nowrap">
      <Input.Wrapper flex={1} miw={0} error={error} errorProps={{ role: 'alert', mt: 4 }}>
        {isList ? (
          <Values label={about.field} options={about.options} {...form.getInputProps(path)} />
        ) : (
          <Group gap={12} grow align="flex-start">
            {Object.entries(about.fields).map(([end, name]) => {
              const input = { label: name, ...form.getInputProps(`${path}.${end}`) }
              return about.type === 'number' ? (
                <NumberInput key={end} min={1} allowDecimal={false} {...input} />
              ) : (
                <TextInput key={end} type={about.type} {...input} />
              )
            })}
          </Group>
        )}
      </Input.Wrapper>
      <CloseButton
        mt={26}
        aria-label={`Remove the condition ${about.label}`}
        onClick={() => form.setFieldValue(path, undefined)}
      />
    </Group>
  )
}

type ValuesProps = {
  label: string
  options: { value: string | number; label: string }[] | undefined
  onChange: (values: (string | number)[]) => void
}

/** One or more values, chosen from a list or typed */
const Values = ({ options, onChange, ...input }: ValuesProps) =>
  options ? (
    <MultiSelect
      {...input}
      data={options}
      searchable
      hidePickedOptions
      // Days stand in their order.
      onChange={(values) => onChange(typeof values[0] === 'number' ? values.sort() : values)}
    />
  ) : (
    <TagsInput
      {...input}
      description="Type a name, such as Bavaria, and press Enter."
      // Below the field, so that the button beside it is level with it.
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      onChange={onChange}
    />
  )
