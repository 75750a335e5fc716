import { describe, expect, it } from 'vitest'
import { fullName, initials, shortName } from '../../../src/client/accounts/person.ts'
import { returnPath } from '../../../src/client/accounts/return-to.ts'

describe('after signing in the browser goes', () => {
  it.each(['/', '/dashboard', '/subscription?tier=starter&billing=annual', '/profile#plan'])(
    'to the path %s of this site',
    (path) => {
      expect(returnPath(path)).toBe(path)
    },
  )

  it.each([
    [null],
    [''],
    ['dashboard'],
    ['https://evil.example/'],
    ['//evil.example'],
    ['/\\evil.example'],
    ['\\\\evil.example'],
    ['/\t/evil.example'],
    ['/.//evil.example'],
    ['/x/..//evil.example'],
    ['javascript:alert(1)'],
  ])('to the start page instead of %j', (requested) => {
    expect(returnPath(requested)).toBe('/')
  })
})

describe('a person', () => {
  const ada = { email: 'ada.l@example.com', firstName: 'Ada', lastName: 'Lovelace' }
  const nameless = { email: 'ada.l@example.com', firstName: null, lastName: null }

  it('is greeted by first name, else by e-mail', () => {
    expect(shortName(ada)).toBe('Ada')
    expect(shortName(nameless)).toBe('ada.l@example.com')
  })

  it('has a full name only where both parts exist', () => {
    expect(fullName(ada)).toBe('Ada Lovelace')
    expect(fullName({ ...ada, lastName: null })).toBe('ada.l')
    expect(fullName({ ...nameless, email: '' })).toBe('User')
  })

  it('has two initials from the local part of the e-mail', () => {
    expect(initials(ada)).toBe('AD')
    expect(initials({ email: 'x@example.com' })).toBe('X')
  })
})
