import { Group, NumberInput, SimpleGrid, Stack, Switch, TextInput, Title } from '@mantine/core'
import type { QrCode } from '#contract/codes/codes.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { AddressField, MOMENT } from './fields.tsx'
import type { RulesForm } from './values.ts'

type Props = { form: RulesForm; code: QrCode; isSaving: boolean; onMore: (limit: number) => void }
const MORE = 1_000

/** The code's dates, its scan limit, its fallback, its password and the checks of its destination. */
export function Limits({ form, code, isSaving, onMore }: Props) {
  const { scanLimit: limit, hasPassword } = code
  const { asksPassword, checksDestination, fallbackUrl, scanLimit } = form.values
  return (
    <Stack gap="sm" component="section" aria-labelledby="limits-title">
      <Title order={3} size="h5" id="limits-title">
        Dates and limits
      </Title>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput {...MOMENT} label="Starts" {...form.getInputProps('startsAt')} />
        <TextInput {...MOMENT} label="Ends" {...form.getInputProps('endsAt')} />
      </SimpleGrid>
      <Group gap={8} align="flex-end">
        <NumberInput
          flex="1 1 200px"
          label="Scan limit"
          description="Only scans by people count, and those it already has."
          placeholder="No limit"
          min={1}
          allowDecimal={false}
          thousandSeparator
          {...form.getInputProps('scanLimit')}
        />
        {limit !== null && (
          <BusyButton
            variant="default"
            busy={isSaving}
            onClick={() => onMore((scanLimit || limit) + MORE)}
          >
            Add 1,000 more
          </BusyButton>
        )}
      </Group>
      <AddressField
        form={form}
        path="fallbackUrl"
        label="Fallback"
        description="Where visitors go while the code is paused, hasn’t started, or is over. Without one they see a page that says so."
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
