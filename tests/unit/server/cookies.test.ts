import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { readCookie, setCookie } from '../../../src/server/accounts/sessions/cookies.ts'

const settings = { publicUrl: 'https://qr.example.com', secret: 'a key that only this test knows' }

/** A cookie as a browser sends it back. */
function given(name: string, value: string): string {
  let line = ''
  const header = (_name: string, text: string) => {
    line = text
  }
  setCookie({ header } as unknown as FastifyReply, settings, { name, value, seconds: 60 })
  return line.split(';')[0] ?? ''
}

const read = (cookie: string, name: string) =>
  readCookie({ headers: { cookie } } as FastifyRequest, settings, name)

test('a cookie comes back as it was given', () => {
  expect(read(`a=b; ${given('device', 'one two')}`, 'device')).toBe('one two')
})

test('a value that was signed for one cookie is refused in another', () => {
  const other = given('challenge', 'ada').replace('tessera_challenge', 'tessera_device')
  expect(read(other, 'device')).toBeUndefined()
})

test('a changed value is refused', () => {
  expect(read(given('device', 'ada').replace('ada', 'eve'), 'device')).toBeUndefined()
})
