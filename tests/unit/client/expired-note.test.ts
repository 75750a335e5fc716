import { expect, test } from 'vitest'
import { expiredAlready } from '../../../src/client/codes/ending.tsx'

const now = new Date('2026-11-24T12:00:00Z')
const over = { expiresAt: '2026-11-23T12:00:00Z', isActive: true }
const menu = { name: 'Menu', ...over }

test('a note names one expired code and counts several; paused and lasting ones are not in it', () => {
  const others = [
    { name: 'Paused', ...over, isActive: false },
    { name: 'Lasting', expiresAt: null, isActive: true },
  ]
  expect(expiredAlready(others, now)).toBeNull()
  expect(expiredAlready([menu, ...others], now)).toMatch(/^“Menu” has expired/)
  expect(expiredAlready([menu, menu, ...others], now)).toMatch(/^2 QR codes have expired/)
})
