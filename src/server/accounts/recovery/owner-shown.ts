import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Tx } from '../../database/schema.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { hasSession } from '../sessions/sessions-store.ts'
import { demandPassword, type PasswordCheckDeps } from '../sign-in/password-check.ts'
import type { Proved } from '../sign-in/sign-in.ts'
import { type AccountRow, passwordHashOf } from '../users-store.ts'

/** What shows that an account is the reader's of a mail: a session of it, or its password. */
export type Shown = { sessionId: string } | (Proved & { passwordHash: string })

export type ShowOwnerDeps = PasswordCheckDeps & {
  sessions: Sessions
  config: { passwordLogin: boolean }
}

/**
 * Whoever has a mailbox need not be who has the account: a session of the account shows it, else its
 * password.
 * @returns undefined where the account has no password that opens it
 * @throws AppError password_needed, and as `demandPassword`
 */
export async function showOwner(
  deps: ShowOwnerDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  { account, password }: { account: AccountRow; password: string | undefined },
): Promise<Shown | undefined> {
  const { sessions, db, clock, config } = deps
  const session = await sessions.current(request, reply)
  if (session?.userId === account.id) return { sessionId: session.id }
  // Where passwords are switched off, none opens anything.
  if (!config.passwordLogin || (await passwordHashOf(db, account.id)) === null) return undefined
  if (password === undefined) throw new AppError('password_needed')
  await count(db, 'sign-ins', clientAddress(request), clock())
  return demandPassword(deps, request, { email: account.email, account, password })
}

/** Whether what was shown is not over meanwhile. */
export async function stillShown(tx: Tx, userId: string, shown: Shown): Promise<boolean> {
  if ('sessionId' in shown) return hasSession(tx, userId, shown.sessionId)
  return (await passwordHashOf(tx, userId)) === shown.passwordHash
}
