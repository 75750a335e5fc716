import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach } from 'vitest'
import type { HistoryEntry } from '../../src/contract/accounts/account-settings.ts'
import type { Role } from '../../src/contract/accounts/roles.ts'
import type { Subscription } from '../../src/contract/billing/billing.ts'
import type { Tier } from '../../src/contract/billing/plans.ts'
import type { CodeChange, QrCode } from '../../src/contract/codes/codes.ts'
import { markProved } from '../../src/server/accounts/users-store.ts'
import { givenPlan, saveSubscription } from '../../src/server/billing/subscriptions-store.ts'
import { applyPlan } from '../../src/server/codes/change-code.ts'
import type { PersonId, WorkspaceId } from '../../src/server/database/ids.ts'
import { transact } from '../../src/server/database/transact.ts'
import { addMember } from '../../src/server/memberships.ts'
import { someAddress } from './crowd.ts'
import { enrol, PASSWORD, quickKey } from './enrolment.ts'
import { madeIn } from './for-block.ts'
import { rowsOf } from './rows.ts'
import type { Tessera } from './tessera.ts'

export type Init = { method?: string; body?: unknown; headers?: Record<string, string> }

const inWorkspace = (path: string, at: WorkspaceId | undefined) =>
  at === undefined ? path : `${path}${path.includes('?') ? '&' : '?'}workspace=${at}`

/** A person with an account and a browser of their own, who calls the API with its cookie. */
export class Person {
  readonly tessera: Tessera
  readonly email: string
  id = '' as PersonId
  /** Their own */
  workspaceId = '' as WorkspaceId
  /** The workspace that its calls name; their own without it */
  at: WorkspaceId | undefined
  cookie = ''

  constructor(tessera: Tessera, email: string) {
    this.tessera = tessera
    this.email = email
  }

  async call(path: string, { method = 'GET', body, headers = {} }: Init = {}): Promise<Response> {
    const json: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' }
    return fetch(this.tessera.origin + inWorkspace(path, this.at), {
      method,
      redirect: 'manual',
      headers: { cookie: this.cookie, origin: this.tessera.origin, ...json, ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  /** Returns the answer's JSON. Fails the test if the call fails. */
  async ask<T = unknown>(path: string, init: Init = {}): Promise<T> {
    const response = await this.call(path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${init.method ?? 'GET'} ${path}: ${response.status} ${text}`)
    return (text ? JSON.parse(text) : undefined) as T
  }

  /** Makes a thing; fails the test if that is refused. */
  make<T = unknown>(path: string, body?: unknown): Promise<T> {
    return this.ask(path, { method: 'POST', body })
  }

  /** Changes a thing; fails the test if that is refused. */
  amend<T = unknown>(path: string, body: unknown): Promise<T> {
    return this.ask(path, { method: 'PATCH', body })
  }

  delete(path: string): Promise<Response> {
    return this.call(path, { method: 'DELETE' })
  }

  /** Posts JSON from an address of its own, so that no other test's calls count (BEHIND_PROXY). */
  post(path: string, body: object = {}, address = someAddress()): Promise<Response> {
    return this.call(path, { method: 'POST', body, headers: { 'x-forwarded-for': address } })
  }

  /** Sends a file as it is. */
  send(path: string, file: Uint8Array | string, type: string, method = 'POST'): Promise<Response> {
    return fetch(this.tessera.origin + path, {
      method,
      headers: { cookie: this.cookie, origin: this.tessera.origin, 'content-type': type },
      body: file as BodyInit,
    })
  }

  /** Another browser of this person, with these cookies. */
  elsewhere(cookie = ''): Person {
    return Object.assign(new Person(this.tessera, this.email), {
      id: this.id,
      workspaceId: this.workspaceId,
      cookie,
    })
  }

  /** Signs in with the password. The browser has the cookies of the answer then, in the place of its own. */
  async signIn(password = PASSWORD, address?: string): Promise<Response> {
    const response = await this.post(
      '/api/auth/sign-in/email',
      { email: this.email, password },
      address,
    )
    this.cookie = cookieOf(response)
    return response
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.call('/api/auth/user')).status === 200
  }

  /** The names of the events in the account's history, as its owner sees them, newest first. */
  async history() {
    const entries = await this.ask<HistoryEntry[]>('/api/account/history')
    return entries.map(({ event }) => event)
  }

  /** The plan that the account has. */
  plan(): Promise<Subscription> {
    return this.ask('/api/user/subscription')
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

  /** Sends a change that may be refused. */
  patch(id: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    return this.call(`/api/qr-codes/${id}`, { method: 'PATCH', body, headers })
  }

  /** Puts a code into the bin. */
  remove(id: string): Promise<Response> {
    return this.delete(`/api/qr-codes/${id}`)
  }
}

/** An account of the given tier, as after a payment, signed in. */
export async function newPerson(tessera: Tessera, tier: Tier = 'free'): Promise<Person> {
  const person = new Person(tessera, `${randomUUID()}@example.com`)
  const { database, secret, config } = tessera
  const registry = { database, secret, publicUrl: config.publicUrl, derive: quickKey }
  const { cookie, ...ids } = await enrol(registry, { email: person.email, name: 'Ada Lovelace' })
  Object.assign(person, ids)
  person.cookie = `${cookie.name}=${cookie.value}`
  if (tier !== 'free') await subscribe(person, tier)
  return person
}

/** Another person, who works in this one's workspace in a role. */
export async function newMember(owner: Person, role: Role): Promise<Person> {
  const { tessera, workspaceId } = owner
  const person = await newPerson(tessera)
  const member = { workspaceId, personId: person.id, role }
  await transact(tessera.database.db, (tx) => addMember(tx, member, tessera.clock.now()))
  person.at = workspaceId
  return person
}

/** Two accounts of a tier. */
export async function newPair(tessera: Tessera, tier?: Tier): Promise<[Person, Person]> {
  return [await newPerson(tessera, tier), await newPerson(tessera, tier)]
}

/** Enrols one for the tests of a block, whose properties are there from `beforeAll` on. */
export const enrolPerson = (tessera: Tessera, tier?: Tier) =>
  madeIn(beforeAll, () => newPerson(tessera, tier))

/** Enrols another one for each test of a block. */
export const enrolForEach = (tessera: Tessera, tier?: Tier) =>
  madeIn(beforeEach, () => newPerson(tessera, tier))

/** Marks a person's address as proved, as if a mailed link was opened. */
export async function prove({ tessera, id }: Person): Promise<void> {
  await transact(tessera.database.db, (tx) => markProved(tx, id))
}

/** Accounts made at a time. */
const AT_A_TIME = 5

export async function newCrowd(tessera: Tessera, size: number, tier: Tier = 'free') {
  const crowd: Person[] = []
  while (crowd.length < size) {
    const next = Math.min(AT_A_TIME, size - crowd.length)
    crowd.push(...(await Promise.all(Array.from({ length: next }, () => newPerson(tessera, tier)))))
  }
  return crowd
}

/** The names of an account's events, oldest first. */
export async function eventsOf({ database }: Tessera, userId = '' as PersonId): Promise<string[]> {
  const rows = await rowsOf(database.db, 'audit_entries', { user_id: userId }, 'at')
  return rows.map(({ event }) => event)
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
  const row = givenPlan({
    workspaceId: person.workspaceId,
    tier,
    status,
    until: now + MONTH_MS,
    at: now,
  })
  app.announce(await transact(database.db, (tx) => saveSubscription(tx, row, applyPlan)))
}
