import {
  ActionIcon,
  Button,
  Card,
  CloseButton,
  Group,
  Input,
  Menu,
  NumberInput,
  Stack,
  Text,
} from '@mantine/core'
import { ArrowDown, ArrowUp, Plus, Split, Trash2, TriangleAlert } from 'lucide-react'
import { useRef } from 'react'
import { plans } from '#contract/billing/plans.ts'
import type { RuleInput } from '#contract/codes/code-rules.ts'
import { VARIANTS_MAX } from '#contract/codes/rule-values.ts'
import { dayIn } from '../../formats.ts'
import { focusNew, useKeptFocus } from '../../ui/focus.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Note } from '../note.tsx'
import { useOwner } from '../owner.ts'
import { Conditions, missingIn, type RuleProps, withCondition } from './conditions.tsx'
import { AddressField } from './fields.tsx'
import { kinds, sentenceOf, warningsOf } from './rule-words.ts'
import { fieldAt, type RulesForm } from './values.ts'

/** One rule: its sentence, its conditions and its destinations. */
export function RuleCard({ form, index }: { form: RulesForm; index: number }) {
  const { tier, hasRegions } = useOwner()
  const card = useRef<HTMLLIElement>(null)
  useKeptFocus(card)
  // Without rules in the plan, those that there are can only be deleted.
  const isInPlan = plans[tier].hasRules
  const { rules } = form.values
  const rule = rules[index]
  if (!rule) return null
  const path = `rules.${index}`
  const today = dayIn(rule.timeZone ?? 'UTC', new Date())
  const icon = (label: string, Icon: typeof Plus, run: () => void, disabled = false) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`${label} rule ${index + 1}`}
      disabled={disabled}
      // The kit's gray ground would stand out among the others.
      bg={disabled ? 'transparent' : undefined}
      onClick={run}
    >
      <Icon size={16} />
    </ActionIcon>
  )
  return (
    <Card
      withBorder
      padding="sm"
      component="li"
      aria-label={`Rule ${index + 1}`}
      ref={card}
      tabIndex={-1}
    >
      <Stack gap={10}>
        <Group gap={4} justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
            <b>{index + 1}.</b> {sentenceOf(rule)}
          </Text>
          <Group gap={0} wrap="nowrap">
            {isInPlan && (
              <>
                {icon('Move up', ArrowUp, () => move(form, index, index - 1), index === 0)}
                {icon(
                  'Move down',
                  ArrowDown,
                  () => move(form, index, index + 1),
                  index === rules.length - 1,
                )}
              </>
            )}
            {icon('Delete', Trash2, () => form.removeListItem('rules', index))}
          </Group>
        </Group>
        {warningsOf(rules, index, { hasRegions, today }).map((warning) => (
          <Note key={warning} icon={TriangleAlert} role="status">
            {warning}
          </Note>
        ))}
        {isInPlan && <Fields form={form} path={path} rule={rule} />}
      </Stack>
    </Card>
  )
}

/** Moves a rule, which keeps the focus. */
function move(form: RulesForm, from: number, to: number) {
  form.reorderListItem('rules', { from, to })
  const button = (way: string) =>
    document.querySelector<HTMLElement>(`[aria-label="Move ${way} rule ${to + 1}"]:enabled`)
  const [way, other] = to < from ? (['up', 'down'] as const) : (['down', 'up'] as const)
  // For the first and the last rule one of the buttons is disabled.
  requestAnimationFrame(() => (button(way) ?? button(other))?.focus())
}

/** The conditions of a rule, its destinations, and buttons for more of both. */
function Fields(props: RuleProps) {
  const { form, path, rule } = props
  return (
    <>
      <Conditions {...props} />
      <Destinations {...props} />
      <Group gap={8}>
        <Menu position="bottom-start">
          <Menu.Target>
            <PlainButton size="compact-sm" leftSection={<Plus size={14} />}>
              Add a condition
            </PlainButton>
          </Menu.Target>
          <Menu.Dropdown>
            {missingIn(rule).map((name) => (
              <Menu.Item
                key={name}
                onClick={() => {
                  form.setFieldValue(path, withCondition(rule, name))
                  focusNew(() => fieldAt(form, `${path}.${name}`))
                }}
              >
                {kinds[name].label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
        {rule.variants.length < VARIANTS_MAX && (
          <PlainButton
            size="compact-sm"
            leftSection={<Split size={14} />}
            onClick={() => {
              const { variants } = rule
              form.setFieldValue(`${path}.variants`, evenly([...variants, { url: '' }]))
              focusNew(() => fieldAt(form, `${path}.variants.${variants.length}.url`))
            }}
          >
            Add a destination to test
          </PlainButton>
        )}
      </Group>
    </>
  )
}

/** Shares that add up to 100 */
const evenly = <Variant extends object>(variants: Variant[]) =>
  variants.map((variant, at) => ({
    ...variant,
    share:
      Math.floor(((at + 1) * 100) / variants.length) - Math.floor((at * 100) / variants.length),
  }))

function Destinations({ form, path, rule: { variants } }: RuleProps) {
  const error = form.errors[`${path}.variants`]
  const remove = (at: number) =>
    form.setFieldValue(`${path}.variants`, evenly(variants.toSpliced(at, 1)))
  return (
    <Stack gap={8}>
      {variants.map((_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: its fields are named by its place
        <Group key={at} gap={8} align="flex-start" wrap="nowrap">
          <AddressField
            form={form}
            path={`${path}.variants.${at}.url`}
            label={variants.length === 1 ? 'Destination of the rule' : `Destination ${at + 1}`}
          />
          {variants.length > 1 && (
            <>
              <NumberInput
                w={84}
                label="Percent"
                min={1}
                max={99}
                allowDecimal={false}
                {...form.getInputProps(`${path}.variants.${at}.share`)}
              />
              <CloseButton
                mt={26}
                aria-label={`Remove destination ${at + 1}`}
                onClick={() => remove(at)}
              />
            </>
          )}
        </Group>
      ))}
      {error && <Input.Error role="alert">{error}</Input.Error>}
    </Stack>
  )
}

/** Rules that people often begin with. */
const beginnings: { label: string; rule: Partial<RuleInput> }[] = [
  { label: 'iPhones', rule: { devices: ['Mobile'], systems: ['iOS'] } },
  { label: 'Android phones', rule: { devices: ['Mobile'], systems: ['Android'] } },
  { label: 'A language', rule: withCondition({}, 'languages') },
  { label: 'A country', rule: withCondition({}, 'countries') },
  { label: 'Hours', rule: withCondition({}, 'hours') },
  { label: 'Any visitor', rule: {} },
]

/** Buttons that add a rule. */
export function AddRule({ onAdd }: { onAdd: (rule: Partial<RuleInput>) => void }) {
  return (
    <Group gap={8} role="group" aria-label="Add a rule for">
      <Text size="sm" fw={500}>
        Add a rule for
      </Text>
      {beginnings.map(({ label, rule }) => (
        <Button key={label} size="compact-sm" variant="default" onClick={() => onAdd(rule)}>
          {label}
        </Button>
      ))}
    </Group>
  )
}
