import { useMutation, useQuery } from '@tanstack/react-query'
import type {
  DeliveryList,
  MadeWebhook,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookSecret,
  WholeDelivery,
} from '#contract/programs/webhooks.ts'
import { request, requestJson } from '../../../api.ts'
import { queryClient } from '../../../query-client.ts'
import { reportFailure } from '../../../ui/messages/failure.ts'
import { toast } from '../../../ui/messages/toast.tsx'
import { fieldErrors } from '../form-errors.ts'

const PATH = '/api/webhooks'

/** Read each time they are opened: what was sent changes by itself. */
export const useWebhooks = () => useQuery<WebhookList>({ queryKey: [PATH], gcTime: 0 })

const keyOfDeliveries = (id: string, limit: number) => [`${PATH}/${id}/deliveries?limit=${limit}`]

export const useDeliveries = (id: string, limit: number) =>
  useQuery<DeliveryList>({
    ...{ queryKey: keyOfDeliveries(id, limit), gcTime: 0 },
    placeholderData: (before) => before,
  })

export const useDelivery = (id: string) =>
  useQuery<WholeDelivery>({ queryKey: [`${PATH}/deliveries/${id}`], gcTime: 0 })

export const useSecret = (id: string) =>
  useQuery<WebhookSecret>({ queryKey: [`${PATH}/${id}/secret`], gcTime: 0 })

/** Reads all that is shown of webhooks again. */
export const readAgain = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith(PATH),
  })

type Doing<Input, Output> = {
  call: (input: Input) => Promise<Output>
  done?: string
  failed: string
}

/** What belongs to a field of a form is for its caller to show. */
function useDoing<Input = void, Output = unknown>({ call, done, failed }: Doing<Input, Output>) {
  return useMutation({
    mutationFn: call,
    onSuccess: async () => {
      await readAgain()
      if (done) toast.success(done)
    },
    onError: (error) => {
      if (Object.keys(fieldErrors(error)).length === 0) reportFailure(error, failed)
    },
  })
}

export const useAddWebhook = () =>
  useDoing({
    call: (webhook: NewWebhook) => requestJson<MadeWebhook>('POST', PATH, webhook),
    ...{ done: 'The webhook is added', failed: 'Failed to add the webhook' },
  })

export const useChangeWebhook = (id: string, done: string) =>
  useDoing({
    call: (change: WebhookChange) => requestJson<Webhook>('PATCH', `${PATH}/${id}`, change),
    ...{ done, failed: 'Failed to change the webhook' },
  })

export const useRemoveWebhook = (id: string) =>
  useDoing({
    call: () => request('DELETE', `${PATH}/${id}`),
    ...{ done: 'The webhook is removed', failed: 'Failed to remove the webhook' },
  })

export const useNewSecret = (id: string) =>
  useDoing({
    call: () => requestJson<WebhookSecret>('POST', `${PATH}/${id}/secret`),
    ...{ done: 'The webhook has a new secret', failed: 'Failed to make a new secret' },
  })

export const useTestWebhook = (id: string) =>
  useDoing({
    call: () => request('POST', `${PATH}/${id}/test`),
    ...{ done: 'A test is on its way', failed: 'Failed to send a test' },
  })

export const useSendAgain = (id: string) =>
  useDoing({
    call: () => request('POST', `${PATH}/deliveries/${id}/resend`),
    ...{ done: 'The event is on its way', failed: 'Failed to send the event again' },
  })
