import {
  ActionIcon,
  Button,
  Card,
  Group,
  Menu,
  NumberInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { ArrowDown, ArrowUp, Plus, Split, Trash2, TriangleAlert, X } from 'lucide-react'
import { completed } from '#contract/links.ts'
import { VARIANTS_MAX } from '#contract/rule-values.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Note } from '../note.tsx'
import { Conditions, missingIn, type RulesForm } from './conditions.tsx'
import { sentenceOf, warningsOf } from './rule-words.ts'

type Props = { form: RulesForm; index: number; hasRegions: boolean; onMove: (to: number) => void }

/** One rule: its sentence, its conditions and its destinations. */
export function RuleCard({ form, index, hasRegions, onMove }: Props) {
  const { rules } = form.values
  const rule = rules[index]
  if (!rule) return null
  const path = `rules.${index}`
  const today = new Date().toISOString().slice(0, 10)
  const icon = (label: string, Icon: typeof Plus, run: () => void, disabled = false) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`${label} rule ${index + 1}`}
      disabled={disabled}
      onClick={run}
    >
      <Icon size={16} />
    </ActionIcon>
  )
  return (
    <Card withBorder padding="sm" component="li" aria-label={`Rule ${index + 1}`}>
      <Stack gap={10}>
        <Group gap={4} justify="space-between" wrap="nowrap" align="flex-start">
          <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
            <b>{index + 1}.</b> {sentenceOf(rule)}
          </Text>
          <Group gap={0} wrap="nowrap">
            {icon('Move up', ArrowUp, () => onMove(index - 1), index === 0)}
            {icon('Move down', ArrowDown, () => onMove(index + 1), index === rules.length - 1)}
            {icon('Delete', Trash2, () => form.removeListItem('rules', index))}
          </Group>
        </Group>
        {warningsOf(rules, index, { hasRegions, today }).map((warning) => (
          <Note key={warning} icon={TriangleAlert} role="status">
            {warning}
          </Note>
        ))}
        <Conditions form={form} path={path} rule={rule} />
        <Destinations form={form} path={path} count={rule.variants.length} />
        <Group gap={8}>
          <Menu position="bottom-start">
            <Menu.Target>
              <PlainButton size="compact-sm" leftSection={<Plus size={14} />}>
                Add a condition
              </PlainButton>
            </Menu.Target>
            <Menu.Dropdown>
              {missingIn(rule).map(({ name, label, start }) => (
                <Menu.Item
                  key={name}
                  onClick={() => form.setFieldValue(path, { ...rule, ...start() })}
                >
                  {label}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
          {rule.variants.length < VARIANTS_MAX && (
            <PlainButton
              size="compact-sm"
              leftSection={<Split size={14} />}
              onClick={() =>
                form.setFieldValue(`${path}.variants`, evenly([...rule.variants, { url: '' }]))
              }
            >
              Add a destination to test
            </PlainButton>
          )}
        </Group>
      </Stack>
    </Card>
  )
}

/** Shares that add up to 100 */
const evenly = <Variant extends object>(variants: Variant[]) =>
  variants.map((variant, at) => ({
    ...variant,
    share:
      Math.floor(((at + 1) * 100) / variants.length) - Math.floor((at * 100) / variants.length),
  }))

type DestinationsProps = { form: RulesForm; path: string; count: number }

function Destinations({ form, path, count }: DestinationsProps) {
  const { error } = form.getInputProps(`${path}.variants`)
  const remove = (at: number) => {
    const rule = form.values.rules[Number(path.split('.')[1])]
    const rest = rule?.variants.filter((_, place) => place !== at) ?? []
    form.setFieldValue(`${path}.variants`, evenly(rest))
  }
  return (
    <Stack gap={8}>
      {Array.from({ length: count }, (_, at) => {
        const field = `${path}.variants.${at}.url`
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: its fields are named by its place
          <Group key={at} gap={8} align="flex-start" wrap="nowrap">
            <TextInput
              flex={1}
              miw={0}
              label={count === 1 ? 'Destination of the rule' : `Destination ${at + 1}`}
              placeholder="https://"
              type="url"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              {...form.getInputProps(field)}
              onBlur={({ currentTarget }) =>
                form.setFieldValue(field, completed(currentTarget.value))
              }
            />
            {count > 1 && (
              <>
                <NumberInput
                  w={84}
                  label="Percent"
                  min={1}
                  max={99}
                  {...form.getInputProps(`${path}.variants.${at}.share`)}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  mt={28}
                  aria-label={`Remove destination ${at + 1}`}
                  onClick={() => remove(at)}
                >
                  <X size={16} />
                </ActionIcon>
              </>
            )}
          </Group>
        )
      })}
      {typeof error === 'string' && (
        <Text size="sm" c="var(--bad)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  )
}

/** Rules that people often begin with. */
export const beginnings = [
  { label: 'iPhones', rule: { devices: ['Mobile'], systems: ['iOS'] } },
  { label: 'Android phones', rule: { devices: ['Mobile'], systems: ['Android'] } },
  { label: 'A language', rule: { languages: [] } },
  { label: 'A country', rule: { countries: [] } },
  { label: 'Hours', rule: { hours: { from: '22:00', until: '06:00' } } },
  { label: 'Any visitor', rule: {} },
] as const

/** Buttons that add a rule. */
export function AddRule({ onAdd }: { onAdd: (rule: object) => void }) {
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
