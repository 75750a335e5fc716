import { randomInt } from 'node:crypto'
import { METRICS_TOKEN } from './metric.ts'

/** Trusts one proxy, so that each person can have an address of their own. Then metrics need a token. */
export const BEHIND_PROXY = { TRUST_PROXY: '1', METRICS_TOKEN }

/** A random address, hardly ever the same twice. */
export const someAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`

/** The headers of a call from such an address, by the proxy. */
export const fromSomewhere = () => ({ 'x-forwarded-for': someAddress() })
