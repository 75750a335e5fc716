import { Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { BusyButton } from '../../ui/busy-button.tsx'
import { usePromotion } from '../queries.ts'

/** The field for a promotion code. The page loads again with what the code changes. */
export function PromotionCode({ id }: { id: string }) {
  const [code, setCode] = useState('')
  const { apply, busy } = usePromotion(id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy && code.trim() !== '') apply(code)
  }
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm" wrap="nowrap">
        <TextInput
          label="Promotion code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          style={{ flex: 1 }}
        />
        <BusyButton type="submit" variant="default" busy={busy} busyText="Applying...">
          Apply
        </BusyButton>
      </Group>
    </form>
  )
}
