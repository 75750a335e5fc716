import { useQuery } from '@tanstack/react-query'
import type { Delivery, DeliveryList } from '#contract/integrations/webhooks.ts'

export const WEBHOOKS = '/api/webhooks'

const SOON_MS = 2_000
const isFirstTry = ({ state, attempts }: Delivery) => state === 'waiting' && attempts === 0

export const useDeliveries = (id: string, limit: number) =>
  useQuery<DeliveryList>({
    queryKey: [`${WEBHOOKS}/${id}/deliveries?limit=${limit}`],
    gcTime: 0,
    placeholderData: (before) => before,
    // A test has just been asked for, or another event has just come.
    refetchInterval: ({ state }) => state.data?.items.some(isFirstTry) && SOON_MS,
  })
