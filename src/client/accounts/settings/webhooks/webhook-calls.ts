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
import { fieldErrors } from '../../../ui/field-errors.ts'
import { reportFailure } from '../../../ui/messages/failure.ts'
import { toast } from '../../../ui/messages/toast.tsx'

const PATH = '/api/webhooks'

/** Read each time they are opened: what was sent changes by itself. */
export const useWebhooks = () => useQuery<WebhookList>({ queryKey: [PATH], gcTime: 0 })

export const useDeliveries = (id: string, limit: number) =>
  useQuery<DeliveryList>({
    queryKey: [`${PATH}/${id}/deliveries?limit=${limit}`],
    gcTime: 0,
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

/** A call with a toast for its end. An error that belongs to a field of a form is for its caller to show. */
function useCall<Input = void, Output = unknown>(
  call: (input: Input) => Promise<Output>,
  done: string,
  failed: string,
) {
  return useMutation({
    mutationFn: call,
    onSuccess: async () => {
      await readAgain()
      toast.success(done)
    },
    onError: (error) => {
      if (Object.keys(fieldErrors(error)).length === 0) reportFailure(error, failed)
    },
  })
}

export const useAddWebhook = () =>
  useCall(
    (webhook: NewWebhook) => requestJson<MadeWebhook>('POST', PATH, webhook),
    'The webhook is added',
    'Failed to add the webhook',
  )

export const useChangeWebhook = (id: string, done: string) =>
  useCall(
    (change: WebhookChange) => requestJson<Webhook>('PATCH', `${PATH}/${id}`, change),
    done,
    'Failed to change the webhook',
  )

export const useRemoveWebhook = (id: string) =>
  useCall(
    () => request('DELETE', `${PATH}/${id}`),
    'The webhook is removed',
    'Failed to remove the webhook',
  )

export const useNewSecret = (id: string) =>
  useCall(
    () => requestJson<WebhookSecret>('POST', `${PATH}/${id}/secret`),
    'The webhook has a new secret',
    'Failed to make a new secret',
  )

export const useTestWebhook = (id: string) =>
  useCall(
    () => request('POST', `${PATH}/${id}/test`),
    'A test is on its way',
    'Failed to send a test',
  )

export const useSendAgain = (id: string) =>
  useCall(
    () => request('POST', `${PATH}/deliveries/${id}/resend`),
    'The event is on its way',
    'Failed to send the event again',
  )
