import type { Clock } from '../clock.ts'
import type { Db } from '../database/schema.ts'
import { transact } from '../database/transact.ts'
import { listenersTo } from './endpoints-store.ts'
import { publish } from './events-store.ts'
import { findMark, moveMark } from './marks-store.ts'

export type ExpiredDeps = {
  db: Db
  clock: Clock
  /** The codes of these accounts that stopped working after `from`, up to `until`. */
  expiredCodes: (
    db: Db,
    asked: { userIds: string[]; from: number; until: number },
  ) => Promise<{ userId: string; data: object }[]>
}

const MARK = 'expired'

/** Writes events of the codes that have stopped working since the last round. */
export async function publishExpired({ db, clock, expiredCodes }: ExpiredDeps): Promise<void> {
  const now = clock()
  const until = now.getTime()
  const mark = await findMark(db, MARK)
  const from = Math.min(mark?.at ?? until, until)
  const userIds = [...new Set((await listenersTo(db, 'code.expired')).map((one) => one.user_id))]
  await transact(db, async (tx) => {
    if (!(await moveMark(tx, MARK, { from: mark, to: { at: until, place: '' } }))) return
    if (userIds.length === 0 || from === until) return
    const codes = await expiredCodes(tx, { userIds, from, until })
    for (const [userId, own] of Map.groupBy(codes, (code) => code.userId)) {
      const event = { userId, type: 'code.expired' as const }
      await publish(tx, event, async () => own.map(({ data }) => data), now)
    }
  })
}
