import { NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { ImaginedAnswer, RuleInput } from '#contract/codes/code-rules.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { requestJson } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useCall } from '../../ui/call.ts'
import { Section } from '../editor/fields.tsx'
import { MOMENT } from './fields.tsx'
import { kinds, sentenceOf } from './rule-words.ts'
import { instantOf } from './values.ts'

type Props = {
  id: string
  rules: RuleInput[]
  /** Shows the errors of the rules. Returns whether there are none. */
  validate: () => boolean
}
const ANY = { value: '', label: 'Any' }
const { devices: device, systems: system, languages: language, countries: country } = kinds
const choices = { device, system, language, country }

/** Asks the server where an imagined scan would lead, by the rules as they are in the form. */
export function TryIt({ id, rules, validate }: Props) {
  const [isRefused, setRefused] = useState(false)
  const form = useForm({
    initialValues: { device: 'Mobile', system: '', language: '', country: '', at: '' },
  })
  const call = useCall(
    (asked: RuleInput[]): Promise<ImaginedAnswer> => {
      const at = form.values.at && instantOf(form.values.at)
      const known = Object.entries({ ...form.values, at }).filter(([, value]) => value !== '')
      const body = { ...Object.fromEntries(known), rules: asked }
      return requestJson('POST', `/api/qr-codes/${id}/try`, body)
    },
    { failed: 'We couldn’t try this scan.' },
  )
  return (
    <Section title="Try it" chosen={[]}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {Object.entries(choices).map(([name, { label, options = [] }]) => (
          <NativeSelect
            key={name}
            label={label}
            data={[ANY, ...options]}
            {...form.getInputProps(name)}
          />
        ))}
        <TextInput
          {...MOMENT}
          label="When"
          description="Now, if it’s empty"
          {...form.getInputProps('at')}
        />
      </SimpleGrid>
      <Stack gap={8} align="flex-start">
        <BusyButton
          type="button"
          variant="default"
          busy={call.isPending}
          onClick={() => {
            const isFine = validate()
            setRefused(!isFine)
            if (isFine) call.mutate(rules)
          }}
        >
          Where does it lead?
        </BusyButton>
        <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
          {isRefused
            ? 'Fix the rules above first.'
            : call.data && resultText(call.data, call.variables)}
        </Text>
      </Stack>
    </Section>
  )
}

const pages: Partial<Record<ImaginedAnswer['gets'], string>> = {
  early: 'a page that says when the code starts',
  paused: 'a page that says the code is paused',
  expired: 'a page that says the code has expired',
  over: 'a page that says the code is no longer active',
}

/** "The visitor goes to https://example.com, by rule 2: A visitor who …" */
export function resultText({ gets, url, rule }: ImaginedAnswer, rules: readonly RuleInput[]) {
  if (url === null) return `The visitor sees ${pages[gets]}.`
  const lead = `The visitor goes to ${shownAddress(url)}`
  const by = rules[(rule ?? 0) - 1]
  if (gets === 'fallback') return `${lead}, the fallback.`
  if (by) return `${lead}, by rule ${rule}: ${sentenceOf(by)}`
  return `${lead}, the main destination${rules.length > 0 ? ', because no rule fits' : ''}.`
}
