import { useQuery } from '@tanstack/react-query'
import type {
  Delivery,
  DeliveryList,
  WebhookChange,
  WebhookList,
  WebhookSecret,
  WholeDelivery,
} from '#contract/integrations/webhooks.ts'
import { request } from '../../../api.ts'

export const WEBHOOKS = '/api/webhooks'

const SOON_MS = 2_000
const isFirstTry = ({ state, attempts }: Delivery) => state === 'waiting' && attempts === 0

/** Read each time it is opened, because the server changes it too. */
export const useWebhooks = () => useQuery<WebhookList>({ queryKey: [WEBHOOKS], gcTime: 0 })

export const useDeliveries = (id: string, limit: number) =>
  useQuery<DeliveryList>({
    queryKey: [`${WEBHOOKS}/${id}/deliveries?limit=${limit}`],
    gcTime: 0,
    placeholderData: (before) => before,
    // A test has just been asked for, or another event has just come.
    refetchInterval: ({ state }) => state.data?.items.some(isFirstTry) && SOON_MS,
  })

export const useDelivery = (id: string) =>
  useQuery<WholeDelivery>({ queryKey: [`${WEBHOOKS}/deliveries/${id}`], gcTime: 0 })

export const useSecret = (id: string) =>
  useQuery<WebhookSecret>({ queryKey: [`${WEBHOOKS}/${id}/secret`], gcTime: 0 })

/** The call that changes a webhook, with its toasts. */
export const changing = (id: string) => ({
  call: (change: WebhookChange) => request('PATCH', `${WEBHOOKS}/${id}`, change),
  done: 'Webhook changed',
  failed: 'Failed to change the webhook',
})
