import type { WebhookType } from '#contract/programs/webhook-values.ts'
import type { Db, Tx } from '../database/schema.ts'
import { type CodeRow, expiredCodes } from './codes-store.ts'
import { presentCode } from './presenter.ts'
import { tagsOf } from './tags/tags-store.ts'

/** What happens to codes, as webhooks tell it. */
type CodeNewsType = Extract<WebhookType, `code.${string}`>

/** Writes events of an account. `data` is called only if a webhook wants them. */
export type PublishCodes = (
  tx: Tx,
  userId: string,
  type: CodeNewsType,
  data: () => Promise<object[]>,
) => Promise<void>

/** Tells what happened to codes of one account, as the calls answer them. */
export async function publishCodes(
  { publish, publicUrl }: { publish: PublishCodes; publicUrl: string },
  tx: Tx,
  type: CodeNewsType,
  rows: readonly CodeRow[],
): Promise<void> {
  const [first] = rows
  if (!first) return
  const userId = first.user_id
  await publish(tx, userId, type, () => newsOf(tx, userId, rows, publicUrl))
}

async function newsOf(db: Db, userId: string, rows: readonly CodeRow[], publicUrl: string) {
  const ids = rows.map(({ id }) => id)
  const tagsBy = await tagsOf(db, userId, ids)
  return rows.map((row) => presentCode(row, publicUrl, tagsBy(row)))
}

/** The codes of these accounts that stopped working after `from`, up to `until`, as it is told. */
export async function expiredNews(
  db: Db,
  asked: { userIds: string[]; from: number; until: number },
  publicUrl: string,
): Promise<{ userId: string; data: object }[]> {
  const byOwner = Map.groupBy(await expiredCodes(db, asked), ({ user_id }) => user_id)
  const news = await Promise.all(
    [...byOwner].map(async ([userId, rows]) => {
      const told = await newsOf(db, userId, rows, publicUrl)
      return told.map((data) => ({ userId, data }))
    }),
  )
  return news.flat()
}
