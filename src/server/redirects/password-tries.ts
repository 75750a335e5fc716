import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { MINUTE_MS, SECOND_MS } from '#contract/time.ts'
import type { Target } from '../codes/types.ts'
import { memoryLimits } from '../http/limits/limits.ts'
import { counter } from '../http/limits/memory-counts.ts'
import { type Caller, clientAddress } from '../http/policy/client-address.ts'
import type { PasswordProblem } from './visitor-pages.ts'

/** The visitor with a password */
type Sender = Caller & Pick<FastifyRequest, 'raw'>

export type PasswordDeps = {
  /** Whether a password has this hash. @throws AppError if too many wait for that */
  verifyPassword: (sender: Sender, given: { hash: string; password: string }) => Promise<boolean>
}

/** The status of an answer with the form, and what that says */
export type Asking = {
  status: 200 | 403 | 413 | 415 | 429
  problem?: PasswordProblem
  retryAfterS?: number
}

const BODY_MAX_BYTES = 4 * 1024

/**
 * Checks the password that a form sends, and returns why the visitor may not go on, or undefined if it is right. Only
 * wrong ones count. Each counts before it is checked, so that many at once are not more than the limit.
 * @throws AppError if too many wait; what reading the body throws
 */
export function passwordTries({ verifyPassword }: PasswordDeps) {
  const countOfAddress = counter(memoryLimits['code-passwords'])
  const countOfCode = counter(memoryLimits['code-passwords-each'])

  return async (sender: Sender, { id, passwordHash }: Target): Promise<Asking | undefined> => {
    const { raw } = sender
    if (!FORM.test(raw.headers['content-type'] ?? '')) return { status: 415 }
    const form = await smallBody(raw)
    if (form === undefined) return { status: 413 }
    const byAddress = countOfAddress(clientAddress(sender))
    // An address over its limit does not use up that of the code, which all share.
    const counted = byAddress.isOver ? [byAddress] : [byAddress, countOfCode(id)]
    const over = counted.find(({ isOver }) => isOver)
    const takeBack = () => {
      for (const count of counted) count.takeBack()
    }
    if (over) {
      // Visitors who know it have tried at once: none of them was wrong.
      takeBack()
      return tooMany(over.resetMs)
    }
    // The contract trims the owner's, too.
    const password = (new URLSearchParams(form).get('password') ?? '').trim()
    let isWrong = false
    try {
      isWrong = !(await verifyPassword(sender, { hash: passwordHash ?? '', password }))
    } finally {
      if (!isWrong) takeBack()
    }
    return isWrong ? { status: 403, problem: 'wrong' } : undefined
  }
}

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

function tooMany(ms: number): Asking {
  const minutes = Math.ceil(ms / MINUTE_MS)
  return { status: 429, problem: { minutes }, retryAfterS: Math.ceil(ms / SECOND_MS) }
}

/** A request's body, or undefined if it is too large. The server ends requests that take too long. */
async function smallBody(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request.iterator({ destroyOnReturn: false })) {
    size += part.length
    if (size > BODY_MAX_BYTES) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
