import { useQuery } from '@tanstack/react-query'
import type { Domain, DomainChange, DomainList, NewDomain } from '#contract/integrations/domains.ts'
import { request, requestJson } from '../../../api.ts'
import { queryClient } from '../../../query-client.ts'
import { useCall } from '../../../ui/call.ts'

const PATH = '/api/domains'

/** Read each time it is opened, because the server changes it too. */
export const useDomains = () => useQuery<DomainList>({ queryKey: [PATH], gcTime: 0 })

/** A change of domains, which are then read again. Forms show the refusals of their fields. */
const useChange = <Input = void, Output = unknown>(
  failed: string,
  done: string | undefined,
  call: (input: Input) => Promise<Output>,
) =>
  useCall(call, {
    done,
    failed,
    isForm: true,
    after: () => queryClient.invalidateQueries({ queryKey: [PATH] }),
  })

export const useAddDomain = () =>
  useChange('Failed to add the domain', 'Domain added', (domain: NewDomain) =>
    requestJson<Domain>('POST', PATH, domain),
  )

export const useCheckDomain = (id: string) =>
  useChange('Failed to check the domain', undefined, () =>
    requestJson<Domain>('POST', `${PATH}/${id}/check`),
  )

export const useChangeDomain = (id: string) =>
  useChange('Failed to save the domain', 'Domain saved', (change: DomainChange) =>
    requestJson<Domain>('PATCH', `${PATH}/${id}`, change),
  )

export const useRemoveDomain = (id: string) =>
  useChange('Failed to remove the domain', 'Domain removed', () =>
    request('DELETE', `${PATH}/${id}`),
  )

export const useRestoreDomain = (id: string) =>
  useChange('Failed to keep the domain', 'You keep the domain', () =>
    requestJson<Domain>('POST', `${PATH}/${id}/restore`),
  )
