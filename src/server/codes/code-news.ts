import type { WebhookType } from '#contract/webhook-values.ts'
import type { Tx } from '../database/schema.ts'
import type { CodeRow } from './codes-store.ts'
import { presentCode } from './presenter.ts'

/** What happens to codes, as webhooks tell it. */
type CodeNewsType = Extract<WebhookType, `code.${string}`>

/** Writes down news of an account, each in the line of its code. They are made only if somebody hears them. */
export type PublishCodes = (
  tx: Tx,
  userId: string,
  type: CodeNewsType,
  news: () => { line: string; data: object }[],
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
  await publish(tx, first.user_id, type, () =>
    rows.map((row) => ({ line: row.id, data: presentCode(row, publicUrl) })),
  )
}
