import { AsyncLocalStorage } from 'node:async_hooks'
import { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { Readable } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyRequest } from 'fastify'
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

/** The IPv4 address that is written as an IPv6 one, in whatever spelling (RFC 4291 §2.5.5.2); any other text as it is. */
export function unmapped(address: string): string {
  if (!/ffff:/i.test(address) || isIP(address) !== 6) return address
  const groups = groupsOf(address)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return address
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

function networkOf(address: string): string {
  return `${groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  // URL writes every form of an address alike; it takes no zone.
  const plain = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1)
  const [before = '', after = ''] = plain.split('::')
  const numbers = (part: string) =>
    part ? part.split(':').map((group) => Number.parseInt(group, 16)) : []
  const [left, right] = [numbers(before), numbers(after)]
  const zeros = new Array<number>(8 - left.length - right.length).fill(0)
  return [...left, ...zeros, ...right]
}

/**
 * Whether a connection from this address is one of the proxies that TRUST_PROXY names. With a number
 * of hops every connection is one.
 */
export function trustOf(setting: Config['trustProxy']): (peer: string | undefined) => boolean {
  if (!Array.isArray(setting)) return () => Number(setting) > 0
  const proxies = new BlockList()
  for (const range of setting) {
    const [address = '', bits] = range.split('/')
    if (bits === undefined) proxies.addAddress(address, familyOf(address))
    else proxies.addSubnet(address, Number(bits), familyOf(address))
  }
  return (peer) => peer !== undefined && isIP(peer) !== 0 && proxies.check(peer, familyOf(peer))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

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
