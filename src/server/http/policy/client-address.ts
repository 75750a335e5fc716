import { AsyncLocalStorage } from 'node:async_hooks'
import { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Actor } from '../../actor.ts'
import type { Config } from '../../config.ts'

/** The parts of a request that this file reads. */
export type Caller = { ip: string; socket: { remoteAddress?: string | undefined } }

/**
 * The address that a request comes from. Some proxies write a port behind it, which is cut off. If a
 * proxy wrote something else instead of an address ("unknown"), it is the proxy's own.
 */
export function addressOf({ ip, socket }: Caller): string {
  const direct = socket.remoteAddress ?? ''
  if (ip === direct || isIP(ip)) return ip
  return withoutPort(ip) ?? direct
}

/**
 * The address by which limits count: an IPv4 address, or the /64 of an IPv6 address, because a
 * provider gives each customer at least that many (RFC 6177). An IPv4 address that is written as an
 * IPv6 one is IPv4.
 */
export function clientAddress(request: Caller | FastifyRequest): string {
  const address = unmapped(addressOf(request))
  return isIP(address) === 6 ? networkOf(address) : address
}

/** The same, or the /48 of an IPv6 address, which a provider may give to one customer. */
export const siteAddress = (request: Caller | FastifyRequest): string =>
  clientAddress(request).replace(/^((?:[^:]+:){3}).*/, '$1:/48')

/** `192.0.2.1:443` and `[2001:db8::1]:443` without brackets and port; undefined for anything else. */
function withoutPort(text: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([^:]+):\d+)$/.exec(text) ?? []
  const address = bracketed ?? plain ?? ''
  return isIP(address) ? address : undefined
}

/** Zones are names of this machine's own (RFC 4007 §11). */
export const withoutZone = (address: string) => address.replace(/%.*$/, '')

/** The IPv4 address that is written as an IPv6 one, in whatever spelling (RFC 4291 §2.5.5.2); any other text as it is. */
export function unmapped(address: string): string {
  if (!/ffff:/i.test(address) || isIP(address) !== 6) return address
  const ip = ipaddr.IPv6.parse(withoutZone(address))
  return ip.isIPv4MappedAddress() ? ip.toIPv4Address().toString() : address
}

function networkOf(address: string): string {
  const groups = ipaddr.IPv6.parse(withoutZone(address)).parts.slice(0, 4)
  return `${groups.map((group) => group.toString(16)).join(':')}::/64`
}

/** Whether an address is one of these, or in one of these ranges. */
export function inRanges(ranges: string[]): (address: string | undefined) => boolean {
  const isIn = proxyAddr.compile(ranges)
  return (address = '') => isIP(address) !== 0 && isIn(withoutZone(address), 0)
}

/**
 * Whether a connection from this address is one of the proxies that TRUST_PROXY names. With a number
 * of hops every connection is one.
 */
export const trustOf = (setting: Config['trustProxy']): ((peer: string | undefined) => boolean) =>
  Array.isArray(setting) ? inRanges(setting) : () => Number(setting) > 0

/** The address that a request comes from, as the framework finds it for its own requests. */
export function addressFinder(setting: Config['trustProxy']): (request: IncomingMessage) => string {
  if (setting === false) return ({ socket }) => socket.remoteAddress ?? ''
  const trust = trustedHops(setting)
  const isTrusted = typeof trust === 'function' ? trust : proxyAddr.compile(trust as string[])
  return (request) => addressOf({ ip: proxyAddr(request, isTrusted), socket: request.socket })
}

/** A number trusts that many proxies before us; a list trusts those addresses. */
export function trustedHops(setting: Config['trustProxy']) {
  if (typeof setting !== 'number') return setting
  return (_address: string, hop: number) => hop < setting
}

/**
 * Whether this server asks itself (Fastify's `inject`), which a caller outside cannot pretend: the request
 * that made it ask was counted.
 */
export const isInside = ({ raw }: FastifyRequest): boolean =>
  raw instanceof Readable && !(raw instanceof IncomingMessage)

const callers = new AsyncLocalStorage<Actor>()

/**
 * Asks this server's own routes (Fastify's `inject`) for a program that has proved who it is. Who asks is known
 * in this process alone: no header says it, so no client can.
 */
export const askFor = <T>(caller: Actor, ask: () => Promise<T>): Promise<T> =>
  // `inject` asks when it is awaited.
  callers.run(caller, async () => await ask())

/** The program for which this server asks itself; undefined for requests from outside. */
export const innerCallerOf = (request: FastifyRequest): Actor | undefined =>
  isInside(request) ? callers.getStore() : undefined
