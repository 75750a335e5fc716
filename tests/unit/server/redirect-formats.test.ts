import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  caddyfile,
  nginxMap,
  plainAddress,
  redirectsFile,
} from '../../../src/server/accounts/export/redirect-formats.ts'
import { name, url } from '../../support/any-redirect.ts'
import { seed, times } from '../../support/soak.ts'

const HOST = { origin: 'https://qr.example.com' }
const DOMAIN = { origin: 'https://go.cafe-luna.com', domain: 1 }
const RUNS = { seed, numRuns: times(300, 20_000) }

describe('an address in a file of redirects', () => {
  test('has only the characters of RFC 3986', () => {
    const check = (address: string) => {
      expect(plainAddress(address)).toMatch(/^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/)
    }
    fc.assert(fc.property(url, check), RUNS)
  })

  test('is read by servers as the one that was typed', () => {
    const bytes = (address: string) =>
      address.replace(/%[0-9a-f]{2}/gi, (byte) =>
        Buffer.from(byte.slice(1), 'hex').toString('latin1'),
      )
    const check = (address: string) => {
      expect(bytes(plainAddress(address))).toBe(bytes(address))
    }
    fc.assert(fc.property(url, check), RUNS)
  })

  test('is the same where browsers and RFC 3986 agree', () => {
    const plain = "https://example.com:8080/a;b,c/(d)'!*?x=$1&y=%7B#top"
    expect(plainAddress(plain)).toBe(plain)
  })
})

/** Reads a word in double quotes as nginx does: \ takes the next character as it is. */
const nginxWord = String.raw`"((?:[^"\\]|\\.)*)"`

describe('the nginx map', () => {
  test('has one line for each name, with its address and no variable but the dollar', () => {
    const check = (names: string[], address: string) => {
      const lines = nginxMap(HOST).lines({ names, url: address }).split('\n').filter(Boolean)
      expect(lines).toHaveLength(names.length)
      for (const [index, line] of lines.entries()) {
        if (line.includes('# too long')) continue
        const [, path, value = ''] = new RegExp(`^ {4}${nginxWord} ${nginxWord};$`).exec(line) ?? []
        expect(path).toBe(`/qr/${names[index]}`)
        const dollars = value.split('$' + '{tessera_dollar}')
        expect(dollars.join('')).not.toContain('$')
        expect(dollars.join('$')).toBe(plainAddress(address))
      }
    }
    fc.assert(fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), url, check), RUNS)
  })

  test('leaves out what is too long for a line of nginx, which would not start', () => {
    const lines = nginxMap(HOST).lines({
      names: ['menu'],
      url: `https://example.com/?${'$'.repeat(2_000)}`,
    })
    expect(lines).toMatch(/^ {4}# too long for nginx: "\/qr\/menu"/)
  })
})

test('on a domain each name leads at its root too, by variables of the file’s own', () => {
  const redirect = { names: ['Menu/2', 'menu/2'], url: 'https://example.com/?a=$1' }
  const map = nginxMap(DOMAIN)
  expect(map.head).toContain('return 302 $tessera_1_destination;')
  const value = '"https://example.com/?a=$' + '{tessera_1_dollar}1";'
  // nginx does not start with a name that stands twice for it.
  const twice = '    # another name differs in capitals only: '
  expect(map.lines(redirect).split('\n')).toEqual([
    `    "/qr/Menu/2" ${value}`,
    `    "/Menu/2" ${value}`,
    `${twice}"/qr/menu/2" ${value}`,
    `${twice}"/menu/2" ${value}`,
    '',
  ])
  expect(caddyfile(DOMAIN).head).toContain('https://go.cafe-luna.com {')
  expect(redirectsFile(DOMAIN).lines(redirect)).toContain(
    '\n/menu/2 https://example.com/?a=$1 302\n',
  )
})

test('a line of the Caddyfile is three words and a code, without a placeholder', () => {
  const check = (code: string, address: string) => {
    const line = caddyfile(HOST).lines({ names: [code], url: address })
    expect(line).toBe(`\tredir /qr/${code} "${plainAddress(address)}" 302\n`)
    expect(line).not.toMatch(/[{}\\`]/)
    expect(line.match(/"/g)).toHaveLength(2)
  }
  fc.assert(fc.property(name, url, check), RUNS)
})

test('a line of _redirects is three words, for the link as it is and in capitals', () => {
  const check = (code: string, address: string) => {
    const lines = redirectsFile(HOST)
      .lines({ names: [code], url: address })
      .trimEnd()
      .split('\n')
    expect(lines.map((line) => line.split(/\s+/))).toEqual(
      [`/qr/${code}`, `/QR/${code.toUpperCase()}`].map((path) => [
        path,
        plainAddress(address),
        '302',
      ]),
    )
  }
  fc.assert(fc.property(name, url, check), RUNS)
})
