import { expect, test } from 'vitest'
import type { Tier } from '#contract/billing/plans.ts'
import { planChange } from '../../../src/client/billing/plans/plan-change.tsx'

const use = (codes: number, customPaths = 0, ending = 0) => ({ codes, customPaths, ending })
const change = (from: Tier, to: Tier, own: ReturnType<typeof use> | null) =>
  planChange({ from, to, use: own })

const FREE_ENDS =
  'QR codes you create on Free stop working after 14 days. The ones you have now don’t expire.'
const fullOf = (plan: string) =>
  `${plan} includes 3 QR codes. You can still edit, pause, and delete yours, and create new ones once you have fewer than 3.`

test('going back to the free plan keeps every code and custom URL, and says what ends, and when', () => {
  const until = '2027-03-03T12:00:00.000Z'
  expect(planChange({ from: 'professional', to: 'free', use: use(7, 2), until })).toEqual([
    'All 7 of your QR codes keep working, and so do your 2 custom URLs.',
    fullOf('Free'),
    'Free doesn’t include new custom URLs.',
    FREE_ENDS,
    'You keep Professional until Mar 3, 2027.',
  ])
  expect(change('starter', 'free', use(1))).toEqual(['Your QR code keeps working.', FREE_ENDS])
  expect(change('starter', 'free', use(7, 1)).slice(0, 2)).toEqual([
    'All 7 of your QR codes keep working, and so does your custom URL.',
    fullOf('Free'),
  ])
  expect(change('unlimited', 'free', null).slice(0, 2)).toEqual([
    'All your QR codes keep working.',
    fullOf('Free'),
  ])
})

test('a lower plan says how much room is left, and keeps codes and custom URLs', () => {
  expect(change('unlimited', 'professional', use(8, 3))).toEqual([
    'All 8 of your QR codes keep working.',
    'Professional includes 10 QR codes, so you can create 2 more.',
  ])
  expect(change('professional', 'starter', use(3))).toContain(fullOf('Starter'))
  expect(change('professional', 'starter', use(1, 1))[0]).toBe(
    'Your QR code keeps working, and so does its custom URL.',
  )
  expect(change('professional', 'starter', use(0))[0]).toBe(
    'Starter includes 3 QR codes, so you can create 3 more.',
  )
})

test.each([
  [3, '3 QR codes with a 14-day limit will no longer expire.'],
  [1, 'Your QR code with a 14-day limit will no longer expire.'],
])('a higher plan removes the end of %i codes of the free plan', (ending, sentence) => {
  expect(change('free', 'starter', use(3, 0, ending))).toEqual([sentence])
})

test('a higher plan has room for more codes, and custom URLs', () => {
  expect(change('free', 'professional', use(3))).toEqual([
    'You can have 10 QR codes instead of 3.',
    'Your QR codes can have custom URLs.',
  ])
  expect(change('professional', 'unlimited', use(3))).toEqual([
    'You can have as many QR codes as you like instead of 10.',
  ])
})

test('there is nothing to say about the same plan, or without numbers', () => {
  expect(change('starter', 'starter', use(2, 0, 2))).toEqual([])
  expect(change('free', 'starter', null)).toEqual([])
})
