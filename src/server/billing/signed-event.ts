import { z } from '#contract/zod.ts'
import { AppError } from '../http/errors.ts'

/** The fields that are read of an event with a valid signature. */
export type SignedEvent = { id: string; livemode: boolean; customerId: string | null }

/** How far the time of a signature may differ from ours, in seconds, either way. */
const TOLERANCE_S = 300

const identifier = z.string().regex(/^[\w-]{1,255}$/)

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

/**
 * Reads an event with Stripe's signature (https://docs.stripe.com/webhooks/signature) from its raw
 * bytes.
 * @throws AppError bad_signature for anything but a recent event that was signed with the secret
 */
export async function readSignedEvent(
  body: Buffer,
  signature: string | undefined,
  secret: string,
  now: Date,
): Promise<SignedEvent> {
  // The SDK accepts events from the future, and takes the last of several timestamps.
  if (!signature || !isTimely(signature, now)) throw new AppError('bad_signature')
  const { default: Stripe } = await import('stripe')
  const event = parse(() => {
    const at = now.getTime()
    return Stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_S, undefined, at)
  })
  const { object } = event.data
  const customerId = object.object === 'customer' ? object.id : object.customer
  return { id: event.id, livemode: event.livemode, customerId: customerId ?? null }
}

/** One error for every fault: a wrong signature, no JSON, another kind of message. */
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
