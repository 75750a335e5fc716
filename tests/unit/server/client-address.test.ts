import { describe, expect, test } from 'vitest'
import { addressOf, clientAddress } from '../../../src/server/http/policy/client-address.ts'

const behind = (ip: string) => ({ ip, socket: { remoteAddress: '10.0.0.1' } })

describe('the address by which limits count', () => {
  test.each([
    ['an IPv4 address', '192.0.2.7', '192.0.2.7'],
    ['an IPv4 address with a port', '192.0.2.7:51234', '192.0.2.7'],
    ['an IPv4 address written as IPv6', '::ffff:192.0.2.7', '192.0.2.7'],
    ['the same in hexadecimal', '::FFFF:c000:207', '192.0.2.7'],
    ['the same with a port', '[::ffff:192.0.2.7]:443', '192.0.2.7'],
    ['an IPv6 address', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['an IPv6 address of the same network', '2001:DB8:1:2::', '2001:db8:1:2::/64'],
    ['an IPv6 address with a port', '[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['an IPv6 address in brackets', '[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['a short IPv6 address', '2001:db8::1', '2001:db8:0:0::/64'],
    ['an IPv6 address with a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['loopback', '::1', '0:0:0:0::/64'],
  ])('of %s', (_case, ip, expected) => {
    expect(clientAddress(behind(ip))).toBe(expected)
  })

  test.each([
    '',
    'unknown',
    '_hidden',
    '192.0.2.7:',
    '192.0.2.777',
    '192.0.2.7:80:80',
    '[::1',
    '::1]:5',
  ])('is the proxy’s own where the proxy wrote “%s”', (ip) => {
    expect(clientAddress(behind(ip))).toBe('10.0.0.1')
  })

  test('is empty if the connection is closed already', () => {
    expect(clientAddress({ ip: '', socket: {} })).toBe('')
  })
})

describe('the address that a scan comes from', () => {
  test('is whole, without its port', () => {
    expect(addressOf(behind('[2001:db8:1:2::9]:443'))).toBe('2001:db8:1:2::9')
    expect(addressOf(behind('192.0.2.7:51234'))).toBe('192.0.2.7')
    expect(addressOf(behind('192.0.2.7'))).toBe('192.0.2.7')
  })
})
