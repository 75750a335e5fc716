import type { EventType, WebhookType } from '#contract/integrations/webhook-values.ts'
import type { Delivery, Webhook } from '#contract/integrations/webhooks.ts'
import { counted, formatMoment } from '../../../formats.ts'

/** When an event is sent. */
export const typeWords: Record<WebhookType, string> = {
  'code.created': 'A QR code is created, or comes back from the bin',
  'code.updated': 'A QR code is changed, paused or resumed',
  'code.deleted': 'A QR code is deleted',
  'code.expired': 'A QR code stops working because its time is over',
  'code.scanned': 'QR codes are scanned: one event a second at most, with all scans since the last',
  'subscription.updated': 'Your plan changes',
}

export const eventWords: Record<EventType, string> = {
  'code.created': 'Created',
  'code.updated': 'Changed',
  'code.deleted': 'Deleted',
  'code.expired': 'Expired',
  'code.scanned': 'Scanned',
  'subscription.updated': 'Plan',
  'webhook.test': 'Test',
}

/** How a webhook is doing. */
export function stateWords({ isOn, offWhy, failingSince, waiting }: Webhook): string {
  if (offWhy === 'gone') return 'Switched off: the server answered that it wants no more events.'
  if (offWhy === 'failing') return 'Switched off: for three days the server took no event.'
  if (!isOn) return 'Switched off. Nothing is sent.'
  const events = waiting >= 1_000 ? 'More than 1,000 events' : counted(waiting, 'event')
  const wait = `${events} ${waiting === 1 ? 'waits' : 'wait'}.`
  if (failingSince)
    return `The server has taken no event since ${formatMoment(failingSince)}. ${wait}`
  return waiting === 0 ? 'On. Nothing waits.' : `On. ${wait}`
}

/** The state of a delivery. */
export function deliveryWords({ state, status, attempts, nextAt, tookMs }: Delivery): string {
  const answer = status === null ? 'No answer' : `Answer ${status}`
  switch (state) {
    case 'delivered':
      return `Delivered: ${answer.toLowerCase()}${tookMs === null ? '' : ` in ${tookMs} ms`}`
    case 'failed':
      return `Given up after ${attempts === 1 ? '1 try' : `${attempts} tries`}. ${answer}`
    case 'dropped':
      return 'Left out: more than 100,000 events waited'
    case 'waiting':
      if (attempts === 0) return 'Waits for its turn'
      return `${answer}. Next try ${nextAt ? formatMoment(nextAt) : 'soon'}`
  }
}
