import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Delivery, DeliveryList, WholeDelivery } from '#contract/integrations/webhooks.ts'
import { request } from '../../../api.ts'
import { formatMoment } from '../../../formats.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { LoadFailure } from '../../../ui/messages/failure-alert.tsx'
import { Quiet } from '../../../ui/quiet.tsx'
import rows from '../../../ui/rows.module.css'
import { Spinner } from '../../../ui/spinner.tsx'
import { ChangeButton } from '../../change-button.tsx'
import { refreshAccount } from '../../queries.ts'
import styles from '../settings.module.css'
import { useFresh } from '../settings-calls.ts'
import { deliveryWords, eventWords } from './webhook-words.ts'

export const WEBHOOKS = '/api/webhooks'

const FEW = 10
const MANY = 100

type Props = { id: string; canSend: boolean }

/** The events that were sent to an address, the newest first, with their answers. */
export function Deliveries({ id, canSend }: Props) {
  const [limit, setLimit] = useState(FEW)
  const deliveries = useDeliveries(id, limit)
  if (deliveries.isPending) return <Spinner label="Loading the events" />
  if (deliveries.isError) return <LoadFailure what="The events" reading={deliveries} />
  const { items, hasMore } = deliveries.data
  const reload = (
    <BusyButton
      size="xs"
      variant="subtle"
      busy={deliveries.isFetching}
      busyText="Loading..."
      onClick={() => refreshAccount()}
    >
      Refresh
    </BusyButton>
  )
  if (items.length === 0) {
    return (
      <Group>
        <Text size="sm">No events yet.</Text>
        {reload}
      </Group>
    )
  }
  return (
    <Stack gap="xs" align="flex-start">
      <ul className={rows.rows} aria-label="Events">
        {items.map((delivery) => (
          <Row key={delivery.id} delivery={delivery} canSend={canSend} />
        ))}
      </ul>
      <Group gap="xs">
        {reload}
        {hasMore && limit === FEW && (
          <Button size="xs" variant="subtle" onClick={() => setLimit(MANY)}>
            Show more
          </Button>
        )}
      </Group>
      <Quiet>We keep events for 30 days.</Quiet>
    </Stack>
  )
}

function Row({ delivery, canSend }: { delivery: Delivery; canSend: boolean }) {
  const { id, type, at } = delivery
  const [isOpen, setOpen] = useState(false)
  const name = `${eventWords[type]}, ${formatMoment(at)}`
  return (
    <Group component="li" justify="space-between" gap="4px var(--mantine-spacing-md)" py={8}>
      <div className={rows.words}>
        <Text size="sm">
          <Text span inherit fw={600}>
            {eventWords[type]}
          </Text>{' '}
          {formatMoment(at)}
        </Text>
        <Quiet>{deliveryWords(delivery)}</Quiet>
      </div>
      <Group gap={4}>
        <Button
          size="compact-sm"
          variant="subtle"
          aria-expanded={isOpen}
          aria-label={`Details: ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          Details
        </Button>
        {canSend && (
          <ChangeButton
            call={() => request('POST', `${WEBHOOKS}/deliveries/${id}/resend`)}
            done="Event sent"
            failed="Failed to send the event again"
            size="compact-sm"
            variant="subtle"
            aria-label={`Send again: ${name}`}
          >
            Send again
          </ChangeButton>
        )}
      </Group>
      {isOpen && <Details id={id} />}
    </Group>
  )
}

function Details({ id }: { id: string }) {
  const delivery = useFresh<WholeDelivery>(`${WEBHOOKS}/deliveries/${id}`)
  if (delivery.isPending) return <Spinner label="Loading the event" />
  if (delivery.isError) return <LoadFailure what="The event" reading={delivery} />
  const { eventId, payload, answer, attempts } = delivery.data
  return (
    <Box component="dl" mt={4} flex="0 1 100%" className={rows.facts} style={{ rowGap: 4 }}>
      <dt>webhook-id</dt>
      <dd>{eventId}</dd>
      <dt>Attempts</dt>
      <dd>{attempts}</dd>
      <dt>Response</dt>
      <dd>{answer || 'Empty'}</dd>
      <dt>Sent</dt>
      <dd>
        <pre className={styles.payload}>{readable(payload)}</pre>
      </dd>
    </Box>
  )
}

/** An event of a thousand scans is long: its beginning shows what it is. */
const SHOWN_MAX = 4_000

function readable(payload: string): string {
  const text = JSON.stringify(JSON.parse(payload), null, 2)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}\n…` : text
}

const SOON_MS = 2_000
const isFirstTry = ({ state, attempts }: Delivery) => state === 'waiting' && attempts === 0

const useDeliveries = (id: string, limit: number) =>
  useQuery<DeliveryList>({
    queryKey: [`${WEBHOOKS}/${id}/deliveries?limit=${limit}`],
    gcTime: 0,
    placeholderData: (before) => before,
    // A test has just been asked for, or another event has just come.
    refetchInterval: ({ state }) => state.data?.items.some(isFirstTry) && SOON_MS,
  })
