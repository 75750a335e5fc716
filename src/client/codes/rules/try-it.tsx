import { NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ImaginedAnswer } from '#contract/code-rules.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { requestJson } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { useCall } from '../../ui/call.ts'
import { Section } from '../editor/fields.tsx'
import { choices, type EditedRule, sentenceOf } from './rule-words.ts'

type Props = { id: string; rules: EditedRule[] }
const ANY = { value: '', label: 'Any' }

/** Asks the server where an imagined scan would lead, by the rules as they are in the form. */
export function TryIt({ id, rules }: Props) {
  const [scan, setScan] = useState({
    country: '',
    system: '',
    device: 'Mobile',
    language: '',
    at: '',
  })
  const call = useCall(
    (): Promise<ImaginedAnswer> => {
      const at = scan.at && new Date(scan.at).toISOString()
      const known = Object.entries({ ...scan, at }).filter(([, value]) => value !== '')
      return requestJson('POST', `/api/qr-codes/${id}/try`, { ...Object.fromEntries(known), rules })
    },
    { failed: 'We couldn’t try this scan. Complete the rules first.' },
  )
  const select = (
    name: 'country' | 'system' | 'device' | 'language',
    label: string,
    data: readonly { value: string; label: string }[],
  ) => (
    <NativeSelect
      label={label}
      data={[ANY, ...data]}
      value={scan[name]}
      onChange={({ currentTarget }) => setScan({ ...scan, [name]: currentTarget.value })}
    />
  )
  return (
    <Section title="Try it" chosen={[]}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {select('device', 'Device', choices.devices())}
        {select('system', 'System', choices.systems())}
        {select('language', 'Language', choices.languages())}
        {select('country', 'Country', choices.countries())}
        <TextInput
          type="datetime-local"
          label="When"
          description="Now, if it’s empty"
          value={scan.at}
          onChange={({ currentTarget }) => setScan({ ...scan, at: currentTarget.value })}
        />
      </SimpleGrid>
      <Stack gap={8} align="flex-start">
        <BusyButton
          type="button"
          variant="default"
          busy={call.isPending}
          onClick={() => call.mutate()}
        >
          Where does it lead?
        </BusyButton>
        <Text size="sm" role="status" style={{ overflowWrap: 'anywhere' }}>
          {call.data && resultText(call.data, rules)}
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

/** "It leads to example.com, by rule 2: A visitor who …" */
export function resultText({ gets, url, rule }: ImaginedAnswer, rules: readonly EditedRule[]) {
  const by = rules[(rule ?? 0) - 1]
  const place = url === null ? pages[gets] : shownAddress(url)
  const reason =
    gets === 'fallback'
      ? 'the fallback'
      : gets !== 'destination'
        ? ''
        : by
          ? `by rule ${rule}: ${sentenceOf(by)}`
          : 'the main destination, because no rule fits.'
  return `The visitor gets ${[place, reason].filter(Boolean).join(', ')}`
}
