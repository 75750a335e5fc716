import type { Proof } from '../../database/request-proof.ts'
import type { Db } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { lockUser } from '../users-store.ts'

type Proving = { in: 'sessions' | 'api_keys' | 'connected_apps'; id: string; userId: string }

/** The proof of a request, which lasts as long as its row. What removes such a row locks the user, too. */
export function liveProof(db: Db, { in: table, id, userId }: Proving): Proof {
  async function ask(from = db) {
    const row = from
      .selectFrom(table as 'api_keys')
      .select('id')
      .where('id', '=', id)
    if (await row.executeTakeFirst()) return
    throw new AppError(table === 'sessions' ? 'unauthorized' : 'key_invalid')
  }
  return {
    ask: () => ask(),
    hold: async (tx) => {
      await lockUser(tx, userId)
      await ask(tx)
    },
  }
}
