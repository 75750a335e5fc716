import { once } from 'node:events'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { DAY_MS } from '#contract/time.ts'
import type { Config } from '../config.ts'
import { type Arrival, DOCTOR_HEADER, doctorProof } from '../http/operations.ts'
import { addressOf } from '../http/policy/client-address.ts'
import { compareClocks, type Finding, say, sayAll } from './finding.ts'

type Asked = Pick<Config, 'publicUrl' | 'trustProxy'>

/** Asks the service through PUBLIC_URL how that request arrived. @throws if it is not reached */
export async function checkProxy(config: Asked, secret: string, now: number): Promise<Finding[]> {
  const response = await fetch(`${config.publicUrl}/healthz`, {
    headers: { [DOCTOR_HEADER]: doctorProof(secret, now) },
    redirect: 'manual',
  })
  const { status, headers } = response
  if (status !== 200) return [say('proxy', 'status', { status })]
  const arrival: Arrival | undefined = await response.json().catch(() => undefined)
  const date = Date.parse(headers.get('date') ?? '') || now
  return [
    arrival?.peer === undefined ? say('proxy', 'stranger') : judgeArrival(arrival, config),
    compareClocks(date - now, 'PUBLIC_URL'),
  ]
}

/** Whether TRUST_PROXY fits the proxies that a request came through. */
export function judgeArrival(arrival: Arrival, { publicUrl, trustProxy }: Asked): Finding {
  const { peer, forwardedFor, address } = arrival
  const hops = forwardedFor.split(/[,\s]+/).filter(Boolean)
  const values = { way: [...hops, peer].join(', '), address, hops: hops.length }
  const expectsProxy = trustProxy !== false || publicUrl.startsWith('https:')
  if (hops.length === 0) return say('proxy', expectsProxy ? 'direct' : 'ok', values)
  const isRight = Array.isArray(trustProxy)
    ? addressOf({ ip: hops[0] ?? '', socket: {} }) === address
    : Number(trustProxy) === hops.length
  return say('proxy', isRight ? 'ok' : 'hops', values)
}

const SOON_DAYS = 14

/** The certificate of an https address, as a browser sees it. @throws if it is not reached */
export async function checkCertificate(publicUrl: string, now: number): Promise<Finding[]> {
  const { hostname, port } = new URL(publicUrl)
  const socket = connect({
    host: hostname,
    port: Number(port) || 443,
    servername: isIP(hostname) ? '' : hostname,
    rejectUnauthorized: false,
  })
  await once(socket, 'secureConnect')
  const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - now) / DAY_MS)
  const { authorized, authorizationError } = socket
  socket.destroy()
  const conditions = { refused: !authorized, soon: authorized && days < SOON_DAYS }
  return sayAll('certificate', conditions, { days, reason: String(authorizationError) })
}
