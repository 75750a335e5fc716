import { BlockList, isIP } from 'node:net'

/*
 * IANA's registries of addresses for special purposes (RFC 6890), as of IPv4: all else is public. Of
 * IPv6 only 2000::/3 is given out, and of that not what holds an IPv4 address or is for examples.
 */

const notPublic = new BlockList()
const given = new BlockList()
given.addSubnet('2000::', 3, 'ipv6')

for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  notPublic.addSubnet(network, bits, 'ipv6')
}

/** Whether an IP address is one of the open internet, and not of this machine or a network around it. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, 'ipv4')
    case 6:
      return given.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
    default:
      return false
  }
}
