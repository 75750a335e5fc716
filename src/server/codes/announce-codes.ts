import type { QrCode } from '#contract/codes/codes.ts'
import type { KeptField } from '#contract/codes/rule-values.ts'
import type { WorkspaceId } from '../database/ids.ts'
import type { Db, Tx } from '../database/schema.ts'
import { afterCommit } from '../database/transact.ts'
import { type CodeRow, expiredCodes } from './codes-store.ts'
import { presentNews } from './presenter.ts'
import { tagsOf } from './tags/tags-store.ts'
import type { CodeDeps, PublishCodes } from './types.ts'

/** After the commit: announces names that lead elsewhere, and asks for the verdicts that these codes lack. */
export function announceAfter(
  { onCodeChanged, onUnchecked }: Pick<CodeDeps, 'onCodeChanged' | 'onUnchecked'>,
  tx: Tx,
  rows: readonly Pick<CodeRow, 'id' | 'workspace_id' | 'legibility'>[],
  keys: string[],
): void {
  afterCommit(tx, () => {
    onCodeChanged(keys)
    for (const { id, workspace_id, legibility } of rows) {
      if (legibility === null) onUnchecked(id, workspace_id)
    }
  })
}

type CodeNews = { type: Parameters<PublishCodes>[2]; changed?: readonly KeptField[] }

/** Publishes a change of codes of one account to its webhooks, with the codes as they are now. */
export async function publishCodes(
  { publish, publicUrl }: { publish: PublishCodes; publicUrl: string },
  tx: Tx,
  rows: readonly CodeRow[],
  { type, changed = [] }: CodeNews,
): Promise<void> {
  const workspaceId = rows[0]?.workspace_id
  if (!workspaceId) return
  await publish(tx, workspaceId, type, async () => {
    const codes = await presentCodes(tx, workspaceId, rows, publicUrl)
    return type === 'code.updated' ? codes.map((code) => ({ ...code, changed })) : codes
  })
}

/** Codes of one account with their tags, as webhooks get them */
async function presentCodes(
  db: Db,
  workspaceId: WorkspaceId,
  rows: readonly CodeRow[],
  publicUrl: string,
): Promise<QrCode[]> {
  const ids = rows.map(({ id }) => id)
  const tagsBy = await tagsOf(db, workspaceId, ids)
  return rows.map((row) => presentNews(row, publicUrl, tagsBy(row)))
}

/** The codes of these accounts that stopped working after `from`, up to `until`, as webhooks get them. */
export async function expiredNews(
  db: Db,
  asked: { workspaceIds: WorkspaceId[]; from: number; until: number },
  publicUrl: string,
): Promise<{ workspaceId: WorkspaceId; data: object }[]> {
  const byOwner = Map.groupBy(await expiredCodes(db, asked), ({ workspace_id }) => workspace_id)
  const news = await Promise.all(
    [...byOwner].map(async ([workspaceId, rows]) => {
      const codes = await presentCodes(db, workspaceId, rows, publicUrl)
      return codes.map((data) => ({ workspaceId, data }))
    }),
  )
  return news.flat()
}
