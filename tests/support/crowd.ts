import { randomInt, randomUUID } from 'node:crypto'
import type { Tier } from '../../src/contract/plans.ts'
import { cookieOf, PASSWORD, Person, subscribe } from './person.ts'
import type { Tessera } from './tessera.ts'

/** Trusts one proxy, so that each person can come from an address of their own. */
export const BEHIND_PROXY = { TRUST_PROXY: '1' }

/** An address that the tests of one service hardly ever use twice. */
export const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

/**
 * A new account of the given tier, signed in from an address of its own: more of them than one
 * address may make in a minute. The service must run with BEHIND_PROXY.
 */
export async function newMember(tessera: Tessera, tier: Tier = 'free'): Promise<Person> {
  const person = new Person(tessera, `${randomUUID()}@example.com`)
  const response = await person.call('/api/auth/sign-up/email', {
    method: 'POST',
    headers: { 'x-forwarded-for': someAddress() },
    body: { email: person.email, password: PASSWORD, name: 'Ada Lovelace' },
  })
  if (!response.ok) throw new Error(`sign-up: ${response.status} ${await response.text()}`)
  person.cookie = cookieOf(response)
  const { user } = (await response.json()) as { user: { id: string } }
  person.id = user.id
  if (tier !== 'free') await subscribe(person, tier)
  return person
}

/** Sign-ups at a time: hashing fifty passwords at once would starve a small machine of all else. */
const AT_A_TIME = 5

export async function newCrowd(tessera: Tessera, size: number, tier: Tier = 'free') {
  const crowd: Person[] = []
  while (crowd.length < size) {
    const next = Math.min(AT_A_TIME, size - crowd.length)
    crowd.push(...(await Promise.all(Array.from({ length: next }, () => newMember(tessera, tier)))))
  }
  return crowd
}
