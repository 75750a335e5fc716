import { z } from '#contract/zod.ts'
import { AppError } from '../errors.ts'

/** What is read of an event that came with a valid signature. */
export type SignedEvent = { id: string; livemode: boolean; customerId: string | null }

/** How far an event's time may be from ours, in seconds, either way. */
const TOLERANCE_SECONDS = 300

const reference = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
const eventShape = z.object({
  id: z.string().min(1).max(255),
  livemode: z.boolean(),
  data: z.object({
    object: z.looseObject({
      id: z.string().nullish(),
      object: z.string().nullish(),
      customer: reference.nullish(),
    }),
  }),
})

/**
 * Reads an event as Stripe signs them (https://docs.stripe.com/webhooks/signature), from its body
 * as it came. The SDK takes events from the future; we do not.
 * @throws AppError bad_signature
 */
export async function readSignedEvent(
  body: Buffer,
  signature: string | undefined,
  secret: string,
  now: Date,
): Promise<SignedEvent> {
  if (!signature || !isRecent(signature, now)) throw new AppError('bad_signature')
  const { default: Stripe } = await import('stripe')
  const event = eventShape.safeParse(
    verified(() =>
      Stripe.webhooks.constructEvent(
        ...([body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime()] as const),
      ),
    ),
  )
  if (!event.success) throw new AppError('bad_signature')
  const { id, livemode, data } = event.data
  return { id, livemode, customerId: customerOf(data.object) }
}

/** Whatever the SDK does not like about it: a wrong signature, no JSON, another kind of message. */
function verified(construct: () => unknown): unknown {
  try {
    return construct()
  } catch {
    throw new AppError('bad_signature')
  }
}

/** Of several times the last counts, as in the SDK. */
function isRecent(signature: string, now: Date): boolean {
  const times = signature.split(',').filter((part) => part.startsWith('t='))
  const seconds = Number.parseInt(times.at(-1)?.slice(2) ?? '', 10)
  return Math.abs(Math.floor(now.getTime() / 1000) - seconds) <= TOLERANCE_SECONDS
}

type EventObject = z.output<typeof eventShape>['data']['object']

function customerOf({ object, id, customer }: EventObject): string | null {
  return (object === 'customer' ? id : customer) ?? null
}
