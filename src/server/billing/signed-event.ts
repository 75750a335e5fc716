import { z } from '#contract/zod.ts'
import { AppError } from '../http/errors.ts'
import type { ProviderEvent } from './provider.ts'

/** The fields that are read of an event with a valid signature. */
type SignedEvent = ProviderEvent & { livemode: boolean }

/** How far the time of a signature may differ from ours, in seconds, either way. */
const TOLERANCE_S = 300

const identifier = z.string().regex(/^[\w-]{1,255}$/)

/** An id, or the object itself where Stripe sends it whole. */
const reference = z.union([identifier, z.object({ id: identifier }).transform(({ id }) => id)])

const common = { id: identifier, livemode: z.boolean() }

const snapshotEvent = z.object({
  ...common,
  data: z.object({
    object: z.object({
      object: z.string().optional(),
      id: identifier.optional().catch(undefined),
      customer: reference.nullish().catch(undefined),
      charge: reference.nullish().catch(undefined),
    }),
  }),
})

/**
 * Has no data, only the object that it is about, which has no id if there is one of its kind:
 * https://docs.stripe.com/event-destinations#thin-events
 */
const thinEvent = z.object({
  ...common,
  object: z.literal('v2.core.event'),
  related_object: z
    .object({ id: identifier.optional().catch(undefined), type: z.string() })
    .nullish(),
})

const signedEvent = z.union([
  thinEvent.transform(({ id, livemode, related_object }): SignedEvent => {
    const of = (type: string) => (related_object?.type === type && related_object.id) || null
    const subscriptionId = of('subscription') ?? of('checkout.session')
    return { id, livemode, customerId: of('customer'), subscriptionId, chargeId: of('charge') }
  }),
  snapshotEvent.transform(({ id, livemode, data: { object } }): SignedEvent => {
    const customerId = object.object === 'customer' ? object.id : object.customer
    const chargeId = object.charge ?? null
    return { id, livemode, customerId: customerId ?? null, subscriptionId: null, chargeId }
  }),
])

/** The SDK's check of signatures. */
export const loadSignatures = async () => (await import('stripe')).default.webhooks.signature

/**
 * Reads an event with Stripe's signature (https://docs.stripe.com/webhooks/signature) from its raw
 * bytes.
 * @param secrets the signing secrets that count: two while one endpoint replaces another
 * @throws AppError bad_signature for anything but a recent event that was signed with one of them
 */
export async function readSignedEvent(
  body: Buffer,
  signature: string | undefined,
  secrets: string[],
  now: Date,
): Promise<SignedEvent> {
  // The SDK accepts events from the future, and takes the last of several timestamps.
  if (!signature || !isTimely(signature, now)) throw new AppError('bad_signature')
  const check = await loadSignatures()
  const isSigned = (secret: string) => {
    try {
      const at = now.getTime()
      return check?.verifyHeader(body, signature, secret, TOLERANCE_S, undefined, at) === true
    } catch {
      return false
    }
  }
  if (!secrets.some(isSigned)) throw new AppError('bad_signature')
  return parse(body)
}

/** One error for every fault: no JSON, another kind of message. */
function parse(body: Buffer): SignedEvent {
  try {
    return signedEvent.parse(JSON.parse(body.toString()))
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
