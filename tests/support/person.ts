import { randomUUID } from 'node:crypto'
import type { CodeChange, QrCode } from '../../src/contract/codes.ts'
import type { Tier } from '../../src/contract/plans.ts'
import { markProved } from '../../src/server/accounts/users-store.ts'
import { givenPlan, saveSubscription } from '../../src/server/billing/subscriptions-store.ts'
import { applyPlan } from '../../src/server/codes/change-code.ts'
import { transact } from '../../src/server/database/transact.ts'
import { enrol, quickKey } from './enrolment.ts'
import type { Tessera } from './tessera.ts'

export type Init = { method?: string; body?: unknown; headers?: Record<string, string> }

/** Someone with an account and a browser of their own: calls the API with their cookie. */
export class Person {
  readonly tessera: Tessera
  readonly email: string
  id = ''
  cookie = ''

  constructor(tessera: Tessera, email: string) {
    this.tessera = tessera
    this.email = email
  }

  async call(path: string, { method = 'GET', body, headers = {} }: Init = {}): Promise<Response> {
    const json: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' }
    return fetch(this.tessera.origin + path, {
      method,
      redirect: 'manual',
      headers: { cookie: this.cookie, origin: this.tessera.origin, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** The answer's JSON; fails the test where the call did. */
  async ask<T = unknown>(path: string, init: Init = {}): Promise<T> {
    const response = await this.call(path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${response.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }

  draft(): Promise<QrCode> {
    return this.ask('/api/qr-codes/draft', { method: 'POST' })
  }

  change(id: string, change: CodeChange): Promise<QrCode> {
    return this.ask(`/api/qr-codes/${id}`, { method: 'PATCH', body: change })
  }

  /** A saved code. */
  async code(change: CodeChange = {}): Promise<QrCode> {
    const { id } = await this.draft()
    return this.change(id, { name: 'Menu', url: 'https://example.com/menu', ...change })
  }
}

/** An account of the given tier, as after a payment, signed in. */
export async function newPerson(tessera: Tessera, tier: Tier = 'free'): Promise<Person> {
  const person = new Person(tessera, `${randomUUID()}@example.com`)
  const { database, secret, config } = tessera
  const registry = { database, secret, publicUrl: config.publicUrl, derive: quickKey }
  const { id, cookie } = await enrol(registry, { email: person.email, name: 'Ada Lovelace' })
  person.id = id
  person.cookie = `${cookie.name}=${cookie.value}`
  if (tier !== 'free') await subscribe(person, tier)
  return person
}

/** Marks a person's address as proved, as if a mailed link was opened. */
export async function prove({ tessera, id }: Person): Promise<void> {
  await transact(tessera.database.db, (tx) => markProved(tx, id))
}

export function cookieOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

const MONTH_MS = 30 * 24 * 60 * 60 * 1000

/** Puts an account on a plan, or lets it lapse with another status. */
export async function subscribe(person: Person, tier: Tier, status = 'active'): Promise<void> {
  const { database, clock, app } = person.tessera
  const now = clock.now().getTime()
  const row = givenPlan({ userId: person.id, tier, status, until: now + MONTH_MS, at: now })
  app.announce(await transact(database.db, (tx) => saveSubscription(tx, row, applyPlan)))
}
