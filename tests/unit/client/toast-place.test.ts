import { expect, test } from 'vitest'
import { freestOf } from '../../../src/client/ui/messages/toast-place.ts'

const TOAST = { left: 8, right: 308, height: 60 }
const button = (left: number, top: number) => ({ left, right: left + 100, top, bottom: top + 44 })

test.each([
  ['the first place, if nothing is under it', [button(320, 8)], 8],
  ['another place, if a button is under the first', [button(20, 40)], 700],
  ['the place that covers least', [button(20, 66), button(20, 700)], 8],
  ['the first place, if both cover as much', [button(20, 8), button(20, 700)], 8],
])('a toast takes %s', (_, controls, top) => {
  expect(freestOf([8, 700], TOAST, controls)).toBe(top)
})
