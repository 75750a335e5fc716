import type { FastifyBaseLogger } from 'fastify'
import type { Selectable, SelectQueryBuilder, UpdateObject } from 'kysely'
import { SECOND_MS } from '#contract/time.ts'
import { rowsWhere, updateWhere } from './database/rows.ts'
import type { Db, Tables } from './database/schema.ts'
import { RepeatableTask } from './repeatable-task.ts'

/** The tables of rows that are due at an instant */
type Queued = 'mails' | 'webhook_endpoints' | 'imports'
type Row<Name extends Queued> = Selectable<Tables[Name]>
type Rows<Name extends Queued> = SelectQueryBuilder<Tables, Name, Row<Name>>

/**
 * Takes the first of the due rows by a lease: a change on the condition that what decides is still as it was read.
 * Only one of several processes gets it. If it ends before the row is done, another one goes on after the lease.
 */
export async function takeDue<Name extends Queued>(
  db: Db,
  table: Name,
  decisive: (keyof Row<Name>)[],
  due: (rows: Rows<Name>) => Rows<Name>,
  lease: UpdateObject<Tables, Name>,
): Promise<Row<Name> | undefined> {
  for (;;) {
    const [first] = (await due(rowsWhere(db, table, {}))
      .limit(1)
      .execute()) as Row<Name>[]
    if (!first) return undefined
    const read = Object.fromEntries(decisive.map((column) => [column, first[column]]))
    const same = updateWhere(db, table as 'mails', read).set(lease as object)
    const taken: unknown = await same.returningAll().executeTakeFirst()
    if (taken) return taken as Row<Name>
    // Another process was quicker; there may be more.
  }
}

/** After this time a stop aborts the work on rows in hand. */
const STOP_PATIENCE_MS = 5 * SECOND_MS

type Work<Row> = {
  /** Takes a due row by a lease, none of those that this process has in hand. */
  take: (inHand: string[]) => Promise<Row | undefined>
  /** Works on it, and says when it is due again. If it throws, the row waits for the end of its lease. */
  work: (row: Row, signal: AbortSignal) => Promise<void>
  /** How many rows a process has in hand at most */
  atOnce: number
  log: FastifyBaseLogger
  /** The rows, for the log */
  name: string
}

/** Works on due rows: at once in the process that wrote one (`soon`), and by a job on what a stop or a failure left. */
export function dueQueue<Row extends { id: string }>({ take, work, atOnce, log, name }: Work<Row>) {
  const inHand = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const looks = new RepeatableTask(() =>
    look().catch((error) => log.warn({ err: error }, `${name} wait`)),
  )

  async function look() {
    while (!looks.isStopped && inHand.size < atOnce) {
      const row = await take([...inHand.keys()])
      if (!row) return
      const done = work(row, stopping.signal)
        .catch((error) => log.error({ err: error, id: row.id }, `one of the ${name} waits`))
        .finally(() => {
          inHand.delete(row.id)
          looks.soon()
        })
      inHand.set(row.id, done)
    }
  }

  return {
    /** Looks for due rows. Call it after the commit; it never throws. */
    soon: () => looks.soon(),
    after: (ms: number) => looks.after(ms),
    isStopped: () => looks.isStopped,
    /** Resolves when nothing that is due is under way. */
    idle: async () => {
      await looks.idle()
      while (inHand.size > 0) {
        await Promise.all(inHand.values())
        await looks.idle()
      }
    },
    /** Ends after the rows in hand, or leaves them for another process. */
    stop: async () => {
      const patience = setTimeout(() => stopping.abort('patience'), STOP_PATIENCE_MS)
      await looks.stop()
      await Promise.all(inHand.values())
      clearTimeout(patience)
    },
  }
}
