import type { FastifyRequest } from 'fastify'
import { SECOND_MS } from '#contract/time.ts'
import type { Target } from '../codes/types.ts'
import { firstBytes } from '../http/input/first-bytes.ts'
import { memoryLimits } from '../http/limits/limits.ts'
import { counter } from '../http/limits/memory-counts.ts'
import { type Caller, clientAddress } from '../http/policy/client-address.ts'
import type { PasswordPage } from './visitor-pages.ts'

/** The visitor with a password */
type Sender = Caller & Pick<FastifyRequest, 'raw'>

export type PasswordDeps = {
  /** Whether a password has this hash. @throws AppError if too many wait for that */
  verifyPassword: (sender: Sender, given: { hash: string; password: string }) => Promise<boolean>
}

const BODY_MAX_BYTES = 4 * 1024

/**
 * Checks the password that a form sends, and returns the page that says what is wrong, or undefined if it is right. Only
 * wrong ones count. Each counts before it is checked, so that many at once are not more than the limit.
 * @throws AppError if too many wait; what reading the body throws
 */
export function passwordTries({ verifyPassword }: PasswordDeps) {
  const countOfAddress = counter(memoryLimits['code-passwords'])
  const countOfCode = counter(memoryLimits['code-passwords-each'])

  return async (
    sender: Sender,
    { id, passwordHash }: Target,
  ): Promise<PasswordPage | undefined> => {
    const { raw } = sender
    if (!FORM.test(raw.headers['content-type'] ?? '')) return { kind: 'locked', status: 415 }
    // The server ends requests that take too long.
    const form = await firstBytes(raw.iterator({ destroyOnReturn: false }), BODY_MAX_BYTES)
    if (form.length > BODY_MAX_BYTES) return { kind: 'locked', status: 413 }
    const byAddress = countOfAddress(clientAddress(sender))
    // An address over its limit does not use up that of the code, which all share.
    const counted = byAddress.isOver ? [byAddress] : [byAddress, countOfCode(id)]
    const over = counted.find(({ isOver }) => isOver)
    // The contract trims the owner's, too.
    const password = (new URLSearchParams(`${form}`).get('password') ?? '').trim()
    let isWrong = false
    try {
      // Over the limit, visitors who know it have tried at once: none of them was wrong.
      if (over) {
        return { kind: 'locked', status: 429, retryAfterS: Math.ceil(over.resetMs / SECOND_MS) }
      }
      isWrong = !(await verifyPassword(sender, { hash: passwordHash ?? '', password }))
      return isWrong ? { kind: 'locked', status: 403 } : undefined
    } finally {
      if (!isWrong) for (const count of counted) count.takeBack()
    }
  }
}

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i
