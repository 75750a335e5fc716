import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { MINUTE_MS } from '#contract/time.ts'
import { addressOf } from './policy/client-address.ts'

/** The header by which `npm run doctor` proves that it knows the session secret. */
export const DOCTOR_HEADER = 'x-tessera-doctor'
const VALID_MS = 5 * MINUTE_MS

/** A text that is valid for some minutes and does not hold the secret. */
export function doctorProof(secret: string, at: number): string {
  const moment = `${at}.${randomUUID()}`
  return `${moment}.${macOf(secret, moment).toString('hex')}`
}

/** How this request arrived, for the doctor only: the addresses of proxies are not for strangers. */
export function arrivalOf(request: FastifyRequest, secret: string, now: number) {
  const { [DOCTOR_HEADER]: proof, 'x-forwarded-for': forwardedFor = '' } = request.headers
  if (!isValid(String(proof), secret, now)) return undefined
  const { remoteAddress: peer = '' } = request.socket
  return { peer, forwardedFor: String(forwardedFor), address: addressOf(request) }
}

/** The connection's address, the header, and the visitor's address by TRUST_PROXY */
export type Arrival = NonNullable<ReturnType<typeof arrivalOf>>

function isValid(proof: string, secret: string, now: number): boolean {
  const [at = '', nonce = '', mac = ''] = proof.split('.')
  const [given, expected] = [Buffer.from(mac, 'hex'), macOf(secret, `${at}.${nonce}`)]
  const isRecent = Math.abs(now - Number(at)) <= VALID_MS
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected)
}

const macOf = (secret: string, moment: string) =>
  createHmac('sha256', secret).update(`doctor ${moment}`).digest()
