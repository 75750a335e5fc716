import type { EventType, WebhookType } from '#contract/integrations/webhook-values.ts'
import type { Delivery, Webhook } from '#contract/integrations/webhooks.ts'
import { counted, formatCount, formatMoment } from '../../../formats.ts'

/** When an event is sent. */
export const typeWords: Record<WebhookType, string> = {
  'code.created': 'A QR code is created or restored from the trash',
  'code.updated': 'A QR code is changed, paused, or resumed',
  'code.deleted': 'A QR code is deleted',
  'code.expired': 'A QR code expires',
  'code.scanned':
    'QR codes are scanned (at most one event a second, with all scans since the last)',
  'tag.updated': 'A tag is renamed or recolored',
  'tag.deleted': 'A tag is deleted',
  'subscription.updated': 'Your plan changes',
}

export const eventWords: Record<EventType, string> = {
  'code.created': 'Created',
  'code.updated': 'Changed',
  'code.deleted': 'Deleted',
  'code.expired': 'Expired',
  'code.scanned': 'Scanned',
  'tag.updated': 'Tag changed',
  'tag.deleted': 'Tag deleted',
  'subscription.updated': 'Plan',
  'webhook.test': 'Test',
}

/** How a webhook is doing. */
export function stateWords({ isOn, offWhy, failingSince, waiting }: Webhook): string {
  if (offWhy === 'gone') return 'Off: your server asked for no more events.'
  if (offWhy === 'failing') return 'Off: your server hasn’t accepted any event for three days.'
  if (!isOn) return 'Off'
  const events =
    waiting >= 1_000 ? `More than ${formatCount(1_000)} events` : counted(waiting, 'event')
  const wait = `${events} waiting`
  if (failingSince)
    return `Your server hasn’t accepted any event since ${formatMoment(failingSince)} · ${wait}`
  return waiting === 0 ? 'On' : `On · ${wait}`
}

/** The state of a delivery. */
export function deliveryWords({ state, status, attempts, nextAt, tookMs }: Delivery): string {
  const answer = status === null ? 'No response' : `Response ${status}`
  switch (state) {
    case 'delivered':
      return `Delivered: ${answer.toLowerCase()}${tookMs === null ? '' : ` in ${tookMs} ms`}`
    case 'failed':
      return `Failed after ${counted(attempts, 'attempt')}. ${answer}`
    case 'dropped':
      return `Skipped: more than ${formatCount(100_000)} events were waiting`
    case 'waiting':
      if (attempts === 0) return 'Waiting'
      return `${answer}. Next attempt ${nextAt ? formatMoment(nextAt) : 'soon'}`
  }
}
