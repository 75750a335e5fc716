import { useQuery } from '@tanstack/react-query'
import type {
  Delivery,
  DeliveryList,
  MadeWebhook,
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookList,
  WebhookSecret,
  WholeDelivery,
} from '#contract/integrations/webhooks.ts'
import { request, requestJson } from '../../../api.ts'
import { queryClient } from '../../../query-client.ts'
import { useCall } from '../../../ui/call.ts'

const PATH = '/api/webhooks'

const SOON_MS = 2_000
const isFirstTry = ({ state, attempts }: Delivery) => state === 'waiting' && attempts === 0

/** Read each time it is opened, because the server changes it too. */
export const useWebhooks = () => useQuery<WebhookList>({ queryKey: [PATH], gcTime: 0 })

export const useDeliveries = (id: string, limit: number) =>
  useQuery<DeliveryList>({
    queryKey: [`${PATH}/${id}/deliveries?limit=${limit}`],
    gcTime: 0,
    placeholderData: (before) => before,
    // A test has just been asked for, or another event has just come.
    refetchInterval: ({ state }) => state.data?.items.some(isFirstTry) && SOON_MS,
  })

export const useDelivery = (id: string) =>
  useQuery<WholeDelivery>({ queryKey: [`${PATH}/deliveries/${id}`], gcTime: 0 })

export const useSecret = (id: string) =>
  useQuery<WebhookSecret>({ queryKey: [`${PATH}/${id}/secret`], gcTime: 0 })

/** Reads everything about webhooks again. */
export const readAgain = () =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith(PATH),
  })

/** A change of webhooks, which are then read again. Forms show the refusals of their fields. */
const useChange = <Input = void, Output = unknown>(
  call: (input: Input) => Promise<Output>,
  done: string,
  failed: string,
) => useCall(call, { done, failed, isForm: true, after: readAgain })

export const useAddWebhook = () =>
  useChange(
    (webhook: NewWebhook) => requestJson<MadeWebhook>('POST', PATH, webhook),
    'Webhook added',
    'Failed to add the webhook',
  )

export const useChangeWebhook = (id: string, done: string) =>
  useChange(
    (change: WebhookChange) => requestJson<Webhook>('PATCH', `${PATH}/${id}`, change),
    done,
    'Failed to change the webhook',
  )

export const useRemoveWebhook = (id: string) =>
  useChange(
    () => request('DELETE', `${PATH}/${id}`),
    'Webhook removed',
    'Failed to remove the webhook',
  )

export const useNewSecret = (id: string) =>
  useChange(
    () => requestJson<WebhookSecret>('POST', `${PATH}/${id}/secret`),
    'New secret created',
    'Failed to create a new secret',
  )

export const useTestWebhook = (id: string) =>
  useChange(
    () => request('POST', `${PATH}/${id}/test`),
    'Test on its way. Its response shows below.',
    'Failed to send a test',
  )

export const useSendAgain = (id: string) =>
  useChange(
    () => request('POST', `${PATH}/deliveries/${id}/resend`),
    'Event sent',
    'Failed to send the event again',
  )
