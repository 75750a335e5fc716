import { describe, expect, it } from 'vitest'
import { planChange } from '../../../src/client/billing/plans/plan-change.tsx'

const use = (codes: number, customPaths = 0, ending = 0) => ({ codes, customPaths, ending })

describe('going back to the free plan', () => {
  it('keeps every code and custom URL, and says what ends, and when', () => {
    const until = '2027-03-03T12:00:00.000Z'
    expect(planChange({ from: 'professional', to: 'free', use: use(7, 2), until })).toEqual([
      'All 7 of your QR codes keep working, and so do your 2 custom URLs.',
      'The Free plan includes 3 QR codes: you can edit, pause and delete yours, and make new ones when you have fewer than 3.',
      'New custom URLs are not part of Free.',
      'QR codes that you make on Free stop working after 14 days; those that you have now do not expire.',
      'You keep Professional until Mar 3, 2027.',
    ])
  })

  it('from a plan with as many codes and no custom URLs says little', () => {
    expect(planChange({ from: 'starter', to: 'free', use: use(1) })).toEqual([
      'Your QR code keeps working.',
      'QR codes that you make on Free stop working after 14 days; those that you have now do not expire.',
    ])
  })

  it('with more codes than the current plan allows says so too', () => {
    const sentences = planChange({ from: 'starter', to: 'free', use: use(7, 1) })
    expect(sentences[0]).toBe('All 7 of your QR codes keep working, and so does your custom URL.')
    expect(sentences[1]).toMatch(/^The Free plan includes 3 QR codes: you can edit/)
  })

  it('without the account’s numbers still says that codes keep working', () => {
    const [first, second] = planChange({ from: 'unlimited', to: 'free', use: null })
    expect(first).toBe('All of your QR codes keep working.')
    expect(second).toMatch(/when you have fewer than 3\.$/)
  })
})

describe('a lower plan', () => {
  it('with room left says how much', () => {
    expect(planChange({ from: 'unlimited', to: 'professional', use: use(8, 3) })).toEqual([
      'All 8 of your QR codes keep working.',
      'The Professional plan includes 10 QR codes: you can make 2 more.',
    ])
  })

  it('that is full says when codes can be made again', () => {
    expect(planChange({ from: 'professional', to: 'starter', use: use(3) })).toContain(
      'The Starter plan includes 3 QR codes: you can edit, pause and delete yours, and make new ones when you have fewer than 3.',
    )
  })

  it('keeps one code with its custom URL', () => {
    const [first] = planChange({ from: 'professional', to: 'starter', use: use(1, 1) })
    expect(first).toBe('Your QR code keeps working, and so does its custom URL.')
  })

  it('says nothing about codes if there are none', () => {
    const [first] = planChange({ from: 'professional', to: 'starter', use: use(0) })
    expect(first).toBe('The Starter plan includes 3 QR codes: you can make 3 more.')
  })
})

describe('a higher plan', () => {
  it('removes the end of codes from the free plan', () => {
    expect(planChange({ from: 'free', to: 'starter', use: use(3, 0, 3) })).toEqual([
      '3 QR codes that stop working after 14 days will no longer expire.',
    ])
    expect(planChange({ from: 'free', to: 'starter', use: use(3, 0, 1) })).toEqual([
      '1 QR code that stops working after 14 days will no longer expire.',
    ])
  })

  it('has room for more codes, and custom URLs', () => {
    expect(planChange({ from: 'free', to: 'professional', use: use(3) })).toEqual([
      'You can have 10 QR codes instead of 3.',
      'Your QR codes can have custom URLs.',
    ])
    expect(planChange({ from: 'professional', to: 'unlimited', use: use(3) })).toEqual([
      'You can have as many QR codes as you like instead of 10.',
    ])
  })

  it('says nothing for the same plan, or without numbers', () => {
    expect(planChange({ from: 'starter', to: 'starter', use: use(2, 0, 2) })).toEqual([])
    expect(planChange({ from: 'free', to: 'starter', use: null })).toEqual([])
  })
})
