import type { User } from '#contract/accounts/accounts.ts'

type Named = Pick<User, 'email' | 'firstName' | 'lastName'>

/** The header greets by first name, else by e-mail. */
export function shortName(user: Named): string {
  return user.firstName || user.email
}

/** The full name where both parts exist, else the e-mail's local part, else "User". */
export function fullName(user: Named): string {
  if (user.firstName && user.lastName) return `${user.firstName} ${user.lastName}`
  return localPart(user.email) || 'User'
}

/** Two letters from the local part of the e-mail. */
export function initials(user: Pick<User, 'email'>): string {
  return [...localPart(user.email)].slice(0, 2).join('').toUpperCase()
}

function localPart(email: string): string {
  return email.split('@')[0] ?? ''
}
