import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import { HOUR_MS, SECOND_MS } from '#contract/time.ts'
import { recordEvent } from '../../audit.ts'
import type { PersonId } from '../../database/ids.ts'
import { deleteWhere, putRow, rowsWhere, updateWhere } from '../../database/rows.ts'
import { BATCH, changesRow, transact } from '../../database/transact.ts'
import { count } from '../../http/limits/counts-store.ts'
import type { RoomDeps } from '../../room.ts'
import { forgetApp, recordId } from '../programs/apps-store.ts'

/** How long an app that is not connected stays registered. */
const UNUSED_MS = 2 * HOUR_MS
/** How many of them there are: beyond that the oldest go. */
export const UNUSED_MAX = 5_000

/** The records of one kind that the authorization server keeps, in a table that all processes share. */
export class OAuthRecords implements Adapter {
  readonly #kind: string
  readonly #deps: Pick<RoomDeps, 'db' | 'clock'>

  constructor(kind: string, deps: Pick<RoomDeps, 'db' | 'clock'>) {
    this.#kind = kind
    this.#deps = deps
  }

  async upsert(id: string, payload: AdapterPayload, seconds?: number): Promise<void> {
    const { db, clock } = this.#deps
    const at = clock().getTime()
    // `jti` is the id itself: a token, which is not stored.
    const { jti: _, ...saved } = payload
    const appId = this.#kind === 'Grant' ? id : (payload.grantId ?? null)
    const app = appId && (await rowsWhere(db, 'connected_apps', { id: appId }).executeTakeFirst())
    const record = {
      // The payload still names the person who connected an app that another has taken over.
      user_id: app ? app.made_by : ((payload.accountId as PersonId | undefined) ?? null),
      app_id: appId,
      data: JSON.stringify(saved),
      ends_at: at + (seconds === undefined ? UNUSED_MS : seconds * SECOND_MS),
      scope: payload.scope ?? null,
      resource: payload.aud === undefined ? null : `${payload.aud}`,
    }
    await putRow(db, 'oauth_records', this.#key(id), record)
    if (this.#kind === 'Client') await this.#dropOldest(at)
  }

  /** A connected app has a later end (`addApp`). */
  async #dropOldest(at: number): Promise<void> {
    const { db } = this.#deps
    const clients = rowsWhere(db, 'oauth_records', { kind: 'Client' }).clearSelect().select('id')
    const unused = clients.where('ends_at', '<=', at + UNUSED_MS)
    const oldest = unused.orderBy('ends_at', 'desc').offset(UNUSED_MAX).limit(BATCH)
    await deleteWhere(db, 'oauth_records', { kind: 'Client' }).where('id', 'in', oldest).execute()
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    // PostgreSQL takes no such text, and no record has it.
    if (id.includes('\0')) return undefined
    const row = await this.#row(id)
    if (!row) return undefined
    const payload: AdapterPayload = JSON.parse(row.data)
    if (this.#kind !== 'Client') payload.jti = id
    if (row.used_at !== null) payload.consumed = row.used_at
    return payload
  }

  /**
   * Marks a code or a refresh token as used. Of two uses at the same moment the second ends the app with all
   * its tokens, as each later one does: one of the two was a thief's (RFC 9700 §4.14.2).
   * @throws AppError rate_limited
   */
  async consume(id: string): Promise<void> {
    const { db, clock } = this.#deps
    const appId = (await this.#row(id))?.app_id ?? ''
    if (this.#kind === 'RefreshToken') await count(db, 'app-refreshes', appId, clock())
    const unused = updateWhere(db, 'oauth_records', { ...this.#key(id), used_at: null })
    if (await changesRow(unused.set({ used_at: clock().getTime() }))) return
    await this.#end(appId)
    throw new errors.InvalidGrant('already used')
  }

  async destroy(id: string): Promise<void> {
    if (this.#kind === 'Grant') return this.#end(id)
    await deleteWhere(this.#deps.db, 'oauth_records', this.#key(id)).execute()
  }

  async revokeByGrantId(appId: string): Promise<void> {
    const own = { kind: this.#kind, app_id: appId }
    await deleteWhere(this.#deps.db, 'oauth_records', own).execute()
  }

  async findByUid(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}

  /** Ends an app otherwise than in the settings. Its owner sees it in the history. */
  async #end(appId: string): Promise<void> {
    const { db, clock } = this.#deps
    await transact(db, async (tx) => {
      const ended = await forgetApp(tx, appId)
      const entry = { actor: 'system', event: 'app-disconnected', subject: appId } as const
      if (ended?.userId)
        await recordEvent(tx, { ...entry, ...ended, userId: ended.userId }, clock())
    })
  }

  #row(id: string) {
    return rowsWhere(this.#deps.db, 'oauth_records', this.#key(id)).executeTakeFirst()
  }

  #key(id: string) {
    return { kind: this.#kind, id: recordId(this.#kind, id) }
  }
}

/** The authorization server keeps no sign-ins of its own: each request asks our sessions. */
export class NoSessions extends OAuthRecords {
  override async upsert(): Promise<void> {}
  override async find(): Promise<undefined> {}
}
