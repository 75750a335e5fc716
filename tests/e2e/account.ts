import { type APIRequestContext, expect } from '@playwright/test'
import { sql } from 'kysely'
import type { BillingPeriod, PaidTier, Tier } from '../../src/contract/billing/plans.ts'
import type { CodeChange, QrCode } from '../../src/contract/codes/codes.ts'
import {
  givenPlan,
  type SubscriptionRow,
  saveSubscription,
} from '../../src/server/billing/subscriptions-store.ts'
import { applyPlan } from '../../src/server/codes/change-code.ts'
import type { Database } from '../../src/server/database/connect.ts'
import type { PersonId, WorkspaceId } from '../../src/server/database/ids.ts'
import { transact } from '../../src/server/database/transact.ts'

type Paid = { status?: string; billing?: BillingPeriod; ends?: boolean }

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

let people = 0

/** An account that a test prepares behind the screens, by the API or in the database. */
export class Account {
  readonly email: string
  id = '' as PersonId
  workspaceId = '' as WorkspaceId
  readonly #request: APIRequestContext
  readonly #database: Database

  constructor(request: APIRequestContext, database: Database) {
    this.email = `person-${process.pid}-${++people}@example.com`
    this.#request = request
    this.#database = database
  }

  /** A saved code. */
  async code(change: CodeChange = {}): Promise<QrCode> {
    const { id } = await this.#ask('post', '/api/qr-codes/draft')
    const data = { name: 'Menu card', url: 'https://example.com/menu', ...change }
    return this.#ask('patch', `/api/qr-codes/${id}`, { data })
  }

  /** Many codes by one call. */
  async series(names: string[]): Promise<void> {
    const rows = names.map((name) => ({ name, url: 'https://example.com/menu' }))
    await this.#ask('post', '/api/qr-codes/bulk', { data: { rows, look: {} } })
  }

  /** Waits until the scan check of every saved code has been made. */
  async allChecked(): Promise<void> {
    const codes = async (): Promise<QrCode[]> => this.#ask('get', '/api/qr-codes')
    const left = async () => (await codes()).filter(({ legibility }) => legibility === null).length
    await expect.poll(left).toBe(0)
  }

  /** Puts the account on a plan without payments, or ends the plan with another status. */
  async subscribe(tier: Tier, status = 'active', end = Date.now() + MONTH_MS): Promise<void> {
    await this.#save(
      givenPlan({ workspaceId: this.workspaceId, tier, status, until: end, at: Date.now() }),
    )
  }

  /** Puts the account on a plan as after a payment. */
  async pay(tier: PaidTier, { status = 'active', billing = 'annual', ends = false }: Paid = {}) {
    const until = Date.now() + MONTH_MS
    await this.#save({
      ...givenPlan({ workspaceId: this.workspaceId, tier, status, until, at: Date.now() }),
      provider: 'sandbox',
      subscription_id: `sub_${this.id}`,
      billing,
      ends_at_period_end: ends ? 1 : 0,
    })
    return new Date(until)
  }

  async #save(row: SubscriptionRow): Promise<void> {
    await transact(this.#database.db, (tx) => saveSubscription(tx, row, applyPlan))
  }

  /** Moves the sign-in to a while ago, so that the server asks for the password again. */
  async letSignInAge(): Promise<void> {
    const at = new Date(Date.now() - 20 * 60_000).toISOString()
    const { db } = this.#database
    await sql`update sessions set "createdAt" = ${at} where "userId" = ${this.id}`.execute(db)
  }

  async tellZone(zone: string): Promise<void> {
    const { db } = this.#database
    await db.updateTable('users').set({ time_zone: zone }).where('id', '=', this.id).execute()
  }

  /** Moves the end of a code. */
  async expire(id: string, at: Date): Promise<void> {
    const { db } = this.#database
    const expires_at = at.getTime()
    await db.updateTable('codes').set({ expires_at }).where('id', '=', id).execute()
  }

  async #ask(method: 'get' | 'post' | 'patch', path: string, options = {}) {
    const response = await this.#request[method](path, options)
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`)
    return response.json()
  }
}
