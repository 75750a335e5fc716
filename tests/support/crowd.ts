import { randomInt } from 'node:crypto'
import type { Tier } from '../../src/contract/plans.ts'
import { METRICS_TOKEN } from './metric.ts'
import { newPerson, type Person } from './person.ts'
import type { Tessera } from './tessera.ts'

/** Trusts one proxy, so that each person can have an address of their own. Then metrics need a token. */
export const BEHIND_PROXY = { TRUST_PROXY: '1', METRICS_TOKEN }

/** A random address, hardly ever the same twice. */
export const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

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
