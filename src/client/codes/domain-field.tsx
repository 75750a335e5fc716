import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { plans } from '#contract/billing/plans.ts'
import { hostOf } from './links.ts'
import { useOwner } from './owner.ts'
import { useHosts } from './queries.ts'

/** `value` is empty for this server's host. */
type Props = Omit<NativeSelectProps, 'value' | 'onChange'> & {
  value?: string
  onChange?: (value: string) => void
}

/** The host of the links of codes, for accounts that have domains of their own. */
export function DomainField({ value = '', onChange, ...input }: Props) {
  const { tier, hostUrl } = useOwner()
  const hosts = useHosts({ enabled: plans[tier].domains > 0 || value !== '' }).data ?? []
  const own = [...new Set(value === '' ? hosts : [...hosts, value])]
  if (own.length === 0) return null
  return (
    <NativeSelect
      {...input}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      data={[{ value: '', label: hostOf(hostUrl) }, ...own]}
      value={value}
      onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
    />
  )
}
