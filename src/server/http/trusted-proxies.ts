import { BlockList, isIP } from 'node:net'
import type { Config } from '../config.ts'

/**
 * Whether a connection from this address is one of the proxies that TRUST_PROXY names. With a number
 * of hops it is one, whoever it is from.
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
