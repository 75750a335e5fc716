import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { catchUp, type Turn } from './course-steps.ts'
import type { EventDelivery } from './event-delivery.ts'
import { lockCustomer } from './sandbox-customers.ts'

export type SandboxDeps = { db: Db; clock: Clock; publicUrl: string; events: EventDelivery }

/**
 * Does something for a customer while nobody else does, after whatever was due before. The events
 * that tell of it are delivered when it has been committed.
 */
export async function inTurn<T>(
  { db, clock, events }: SandboxDeps,
  customerId: string,
  work: (turn: Turn) => Promise<T>,
): Promise<T> {
  const result = await transact(db, async (tx) => {
    const customer = await lockCustomer(tx, customerId)
    if (!customer) throw new AppError('checkout_not_found')
    const turn = { tx, customer, serverNow: clock() }
    await catchUp(turn)
    return work(turn)
  })
  await events.deliver(customerId)
  return result
}
