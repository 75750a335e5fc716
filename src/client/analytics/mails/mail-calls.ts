import { useMutation, useQuery } from '@tanstack/react-query'
import type { FigureMails, FigureMailsChange } from '#contract/analytics/figures.ts'
import { requestJson } from '../../api.ts'
import { queryClient } from '../../query-client.ts'
import { reportFailure } from '../../ui/messages/failure.ts'

const PATH = '/api/analytics/mails'

/** Read anew whenever it is opened: a plan, a time zone or a link in a mail may have changed it. */
export function useFigureMails() {
  return useQuery<FigureMails>({ queryKey: [PATH], gcTime: 0 })
}

export function useSaveFigureMails() {
  return useMutation({
    mutationFn: (change: FigureMailsChange) => requestJson<FigureMails>('PUT', PATH, change),
    onSuccess: (saved) => queryClient.setQueryData([PATH], saved),
    onError: (error) => reportFailure(error, 'Failed to save your choice'),
  })
}
