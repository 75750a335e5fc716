import { expect, test } from 'vitest'
import { hostOf } from '../../../src/server/domains/host-names.ts'

test.each([
  ['QR.Example.COM.', 'qr.example.com'],
  [' https://qr.example.com/ ', 'qr.example.com'],
  ['example.co.uk', 'example.co.uk'],
  ['qr.münchen.de', 'qr.xn--mnchen-3ya.de'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
])('“%s” is the host %s', (typed, host) => {
  expect(hostOf(typed, 'tessera.example')).toEqual({ host })
})

test.each([
  ['tessera.example.com', 'ours'],
  ['192.0.2.1', 'IP address'],
  ['[2001:db8::1]', 'IP address'],
  ['localhost', 'whole domain'],
  ['co.uk', 'own'],
  ['github.io', 'own'],
  ['qr.example.invalid', 'own'],
  ['pаypal.com', 'look alike'],
  ['a_b.example.com', 'such as'],
  ['', 'such as'],
  [`${'a'.repeat(64)}.com`, 'such as'],
])('“%s” is refused', (typed, why) => {
  expect(hostOf(typed, 'tessera.example.com')).toEqual({ refusal: expect.stringContaining(why) })
})
