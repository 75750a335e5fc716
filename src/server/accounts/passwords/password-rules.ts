import type { Config } from '../../config.ts'
import { AppError, invalidInput } from '../../http/errors.ts'

/**
 * Refuses ways in beside the company's provider where it alone signs in: a person who has left the company must
 * not get in.
 * @throws AppError not_found
 */
export function demandPasswordLogin({ config }: { config: Pick<Config, 'passwordLogin'> }) {
  if (!config.passwordLogin) throw new AppError('not_found')
}

let common: Set<string> | undefined

/** Whether a password is among the 49,000 most used ones. The list is loaded on first use. */
async function isCommonPassword(password: string): Promise<boolean> {
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
 * @throws AppError invalid_input at `password`
 */
export async function refuseWeakPassword(
  password: string,
  person: { email: string; name: string },
): Promise<void> {
  const message = await weaknessOf(password, person)
  if (message) throw invalidInput([{ path: 'password', message }])
}

async function weaknessOf(password: string, person: { email: string; name: string }) {
  // As it is hashed, so that no other way to write a letter makes it a better password.
  const plain = password.normalize('NFKC').toLowerCase()
  if (new Set(plain).size === 1) return 'A password can’t be one character repeated.'
  if (await isCommonPassword(plain)) {
    return 'This is a very common password. Please choose another one.'
  }
  const rest = ownParts(person).reduce((left, part) => left.replaceAll(part, ''), plain)
  // The rest beside the own name must be a start of a password by itself.
  const isOwn = rest.length < plain.length
  if (isOwn && (rest.length < PART_MIN || (await isCommonPassword(rest)))) {
    return 'Your email address or name is easy to guess. Please choose another password.'
  }
  return undefined
}

/** The parts of an address and a name, the longest first. */
function ownParts(person: { email: string; name: string }): string[] {
  const email = person.email.toLowerCase()
  const name = person.name.normalize('NFKC').toLowerCase()
  const wholes = [email, ...email.split('@'), name.replaceAll(/\s+/g, '')]
  const parts = [...email.split(/[^a-z0-9]+/), ...name.split(/[\s.'-]+/)]
  return [...wholes, ...parts]
    .filter((part) => part.length >= PART_MIN)
    .sort((one, other) => other.length - one.length)
}
