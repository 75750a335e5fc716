import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { withoutZone } from './policy/client-address.ts'

const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an IP address is one of the open internet, and not of this machine or a network around it. */
export function isPublicAddress(address: string): boolean {
  if (!isIP(address)) return false
  const ip = ipaddr.parse(withoutZone(address))
  if (ip.range() !== 'unicast') return false
  // Only 2000::/3 of IPv6 is given out.
  return !('parts' in ip) || ip.match(GIVEN_OUT)
}
