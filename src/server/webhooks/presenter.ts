import type { EventType, WebhookType } from '#contract/programs/webhook-values.ts'
import type { Delivery, Webhook } from '#contract/programs/webhooks.ts'
import type { DeliveryRow } from './deliveries-store.ts'
import type { EndpointRow } from './endpoints-store.ts'

const iso = (instant: number) => new Date(instant).toISOString()
const isoOrNull = (instant: number | null) => (instant === null ? null : iso(instant))

export function presentWebhook(row: EndpointRow, waiting: number): Webhook {
  return {
    id: row.id,
    url: row.url,
    types: row.types.split(',') as WebhookType[],
    madeAt: iso(row.made_at),
    isOn: row.off_since === null,
    offSince: isoOrNull(row.off_since),
    offWhy: row.off_why,
    failingSince: isoOrNull(row.failing_since),
    waiting,
  }
}

export function presentDelivery(row: DeliveryRow): Delivery {
  return {
    id: `${row.seq}`,
    eventId: row.event_id,
    type: row.type as EventType,
    at: iso(row.at),
    state: row.state,
    attempts: row.attempts,
    nextAt: row.state === 'waiting' ? iso(row.next_at) : null,
    triedAt: isoOrNull(row.tried_at),
    status: row.answer_status,
    answer: row.answer_text,
    tookMs: row.took_ms,
  }
}
