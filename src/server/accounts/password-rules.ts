import { invalidInput } from '../http/errors.ts'

let common: Set<string> | undefined

/** Whether a password is among the 49,000 most used ones. The list is loaded on first use. */
export async function isCommonPassword(password: string): Promise<boolean> {
  if (!common) {
    const { dictionary } = await import('@zxcvbn-ts/language-common')
    common = new Set(dictionary['passwords-common'] as Iterable<string>)
  }
  return common.has(password.toLowerCase())
}

/** Parts of an address or a name that are too short to say anything about a password. */
const PART_MIN = 4

/**
 * Refuses passwords that are guessed first: the most common ones, one character repeated, and those
 * made of the person's own address or name.
 * @throws AppError invalid_input at `field`
 */
export async function refuseWeakPassword(
  password: string,
  person: { email: string; name: string },
  field = 'password',
): Promise<void> {
  const message = await weaknessOf(password, person)
  if (message) throw invalidInput([{ path: field, message }])
}

async function weaknessOf(password: string, person: { email: string; name: string }) {
  const plain = password.toLowerCase()
  if (new Set(plain).size === 1) return 'A password needs more than one character repeated.'
  if (await isCommonPassword(password)) {
    return 'This password is among the most common ones. Please choose another.'
  }
  const [local = '', domain = ''] = person.email.toLowerCase().split('@')
  const own = [person.email.toLowerCase(), local, domain, ...person.name.toLowerCase().split(/\s+/)]
  const rest = own
    .filter((part) => part.length >= PART_MIN)
    .reduce((left, part) => left.replaceAll(part, ''), plain)
  // What is left beside the own name must be a start of a password by itself.
  if (rest.length < PART_MIN && rest.length < plain.length) {
    return 'Your own e-mail address or name is guessed first. Please choose another password.'
  }
  return undefined
}
