import { useQuery } from '@tanstack/react-query'
import type { Domain, DomainChange, DomainList } from '#contract/integrations/domains.ts'
import { requestJson } from '../../../api.ts'

export const DOMAINS = '/api/domains'

/** Read each time it is opened, because the server changes it too. */
export const useDomains = () => useQuery<DomainList>({ queryKey: [DOMAINS], gcTime: 0 })

/** The call that changes a domain, with its toasts. */
export const changing = (id: string) => ({
  call: (change: DomainChange) => requestJson<Domain>('PATCH', `${DOMAINS}/${id}`, change),
  done: 'Domain saved',
  failed: 'Failed to save the domain',
})
