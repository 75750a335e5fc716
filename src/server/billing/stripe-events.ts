import type Stripe from 'stripe'
import { z } from '#contract/zod.ts'
import { AppError } from '../errors.ts'
import type { ProviderEvent } from './provider.ts'

/** How far the time of an event's signature may lie from ours, in seconds, before and after. */
const TOLERANCE_S = 300

const identifier = z.string().regex(/^\w{1,255}$/)

/** An id, or the object itself where Stripe sends it whole. */
const reference = z.union([identifier, z.object({ id: identifier }).transform(({ id }) => id)])

const eventSchema = z.object({
  id: identifier,
  livemode: z.boolean(),
  data: z.object({
    object: z.object({
      object: z.string().optional(),
      id: identifier.optional().catch(undefined),
      customer: reference.nullish().catch(undefined),
    }),
  }),
})

export type EventSettings = { webhookSecret: string; isLive: boolean; now: Date }

/**
 * Reads an event from the bytes that were signed; null for one of the other mode.
 * @throws AppError bad_signature for all that is not an event of now, signed by Stripe
 */
export async function readEvent(
  load: () => Promise<Stripe>,
  { webhookSecret, isLive, now }: EventSettings,
  body: Buffer,
  signature: string | undefined,
): Promise<ProviderEvent | null> {
  // The SDK takes events from the future, and the last of several timestamps.
  if (!signature || !isTimely(signature, now)) throw new AppError('bad_signature')
  const { webhooks } = await load()
  const event = parse(() => {
    const at = now.getTime()
    return webhooks.constructEvent(body, signature, webhookSecret, TOLERANCE_S, undefined, at)
  })
  if (event.livemode !== isLive) return null
  const { object } = event.data
  const customerId = object.object === 'customer' ? object.id : object.customer
  return { id: event.id, customerId: customerId ?? null }
}

function parse(construct: () => unknown): z.infer<typeof eventSchema> {
  try {
    return eventSchema.parse(construct())
  } catch {
    throw new AppError('bad_signature')
  }
}

function isTimely(signature: string, now: Date): boolean {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  const [, seconds] = /^t=(\d{1,12})$/.exec(times[0] ?? '') ?? []
  if (times.length !== 1 || seconds === undefined) return false
  return Math.abs(now.getTime() / 1000 - Number(seconds)) <= TOLERANCE_S
}
