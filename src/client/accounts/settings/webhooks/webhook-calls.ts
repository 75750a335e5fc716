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
  failed: string,
  done: string,
  call: (input: Input) => Promise<Output>,
) => useCall(call, { done, failed, isForm: true, after: readAgain })

export const useAddWebhook = () =>
  useChange('Failed to add the webhook', 'Webhook added', (webhook: NewWebhook) =>
    requestJson<MadeWebhook>('POST', PATH, webhook),
  )

export const useChangeWebhook = (id: string, done: string) =>
  useChange('Failed to change the webhook', done, (change: WebhookChange) =>
    requestJson<Webhook>('PATCH', `${PATH}/${id}`, change),
  )

export const useRemoveWebhook = (id: string) =>
  useChange('Failed to remove the webhook', 'Webhook removed', () =>
    request('DELETE', `${PATH}/${id}`),
  )

export const useNewSecret = (id: string) =>
  useChange('Failed to create a new secret', 'New secret created', () =>
    requestJson<WebhookSecret>('POST', `${PATH}/${id}/secret`),
  )

export const useTestWebhook = (id: string) =>
  useChange('Failed to send a test', 'Test on its way. Its response shows below.', () =>
    request('POST', `${PATH}/${id}/test`),
  )

export const useSendAgain = (id: string) =>
  useChange('Failed to send the event again', 'Event sent', () =>
    request('POST', `${PATH}/deliveries/${id}/resend`),
  )
