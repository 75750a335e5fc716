import { describe, expect, it } from 'vitest'
import { fullName, initials, shortName } from '../../../src/client/accounts/person.ts'
import { userOf } from '../../../src/client/accounts/queries.ts'

describe('a person', () => {
  const ada = { email: 'ada.l@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const nameless = { email: 'ada.l@example.com', firstName: null, lastName: null }

  it('is on the free plan when the server names no plan', () => {
    const further = { emailVerified: true, timeZone: null, deletionAt: null }
    const user = { id: '1', profileImageUrl: null, ...ada, ...further }
    expect(userOf(user)).toEqual({ ...user, subscriptionTier: 'free' })
    expect(userOf({ ...user, subscriptionTier: 'unlimited' }).subscriptionTier).toBe('unlimited')
  })

  it('is greeted by first name, else by e-mail', () => {
    expect(shortName(ada)).toBe('Ada')
    expect(shortName(nameless)).toBe('ada.l@example.com')
  })

  it('has a full name only if both parts exist', () => {
    expect(fullName(ada)).toBe('Ada Lovelace')
    expect(fullName({ ...ada, lastName: null })).toBe('ada.l')
    expect(fullName({ ...nameless, email: '' })).toBe('User')
  })

  it('has two initials from the local part of the e-mail', () => {
    expect(initials(ada)).toBe('AD')
    expect(initials({ email: 'x@example.com' })).toBe('X')
  })
})
