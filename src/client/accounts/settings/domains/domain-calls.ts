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
  call: (input: Input) => Promise<Output>,
  failed: string,
  done?: string,
) =>
  useCall(call, {
    done,
    failed,
    isForm: true,
    after: () => queryClient.invalidateQueries({ queryKey: [PATH] }),
  })

export const useAddDomain = () =>
  useChange(
    (domain: NewDomain) => requestJson<Domain>('POST', PATH, domain),
    'Failed to add the domain',
    'Domain added',
  )

export const useCheckDomain = (id: string) =>
  useChange(() => requestJson<Domain>('POST', `${PATH}/${id}/check`), 'Failed to check the domain')

export const useChangeDomain = (id: string) =>
  useChange(
    (change: DomainChange) => requestJson<Domain>('PATCH', `${PATH}/${id}`, change),
    'Failed to save the domain',
    'Domain saved',
  )

export const useRemoveDomain = (id: string) =>
  useChange(
    () => request('DELETE', `${PATH}/${id}`),
    'Failed to remove the domain',
    'Domain removed',
  )

export const useRestoreDomain = (id: string) =>
  useChange(
    () => requestJson<Domain>('POST', `${PATH}/${id}/restore`),
    'Failed to keep the domain',
    'You keep the domain',
  )
