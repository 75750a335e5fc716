import type { FastifyRequest } from 'fastify'
import {
  addressProof,
  type LinkKind,
  mailedToken,
  mailTo,
  passwordReset,
  signInAnswer,
} from '#contract/accounts/accounts.ts'
import { z } from '#contract/zod.ts'
import { checkedActor, type Origin } from '../../actor.ts'
import { NOBODY, type PersonId } from '../../database/ids.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import { workspacesOwnedBy } from '../../memberships.ts'
import type { Api } from '../../room.ts'
import type { AccountDeps } from '../account-deps.ts'
import { type Change, changeAccount, mayOpenAccount, openAccount } from '../account-events.ts'
import { firstLinkLetter, passwordResetLetter, resetLetter, signInLinkLetter } from '../letters.ts'
import { originOf } from '../origin.ts'
import { demandPasswordLogin, refuseWeakPassword } from '../passwords/password-rules.ts'
import {
  acceptAddressProof,
  accountOf,
  endUnproven,
  proveAddress,
  sendAddressProof,
} from '../proof/address-proof.ts'
import { countMail, endLinks, mailLink, readToken, spendToken } from '../proof/mailed-links.ts'
import { forgetAttempts, type SignInMethodDeps, showOwner } from '../proof/owner-proof.ts'
import { endSessions, forgetOtherDevices } from '../sessions/sessions-store.ts'
import {
  type AccountRow,
  dropChange,
  findAccount,
  markProved,
  savePassword,
} from '../users-store.ts'

/** Ways in by mail: a new password, a link that signs in, and the link that proves an address. */
export async function recoveryRoutes(app: Api, deps: SignInMethodDeps) {
  const { db, clock, mailer, hashing, signIns, later } = deps

  /** Counts a mail and answers for known and unknown addresses alike; the work comes after. */
  async function promise(
    request: FastifyRequest<{ Body: { email: string } }>,
    kind: LinkKind,
    work: (email: string) => Promise<void>,
  ) {
    const email = request.body.email.toLowerCase()
    await count(db, 'mailed-links', clientAddress(request), clock())
    const account = await findAccount(db, { email })
    const isKnownDevice = await deps.sessions.isKnown(request, account?.id ?? NOBODY)
    await countMail(deps, kind, email, isKnownDevice)
    later.run(() => work(email))
  }

  const countUse = (request: FastifyRequest) =>
    count(db, 'link-uses', clientAddress(request), clock())

  app.post('/api/auth/forgot-password', { schema: { body: mailTo } }, async (request, reply) => {
    demandPasswordLogin(deps)
    await promise(request, 'reset-password', async (email) => {
      const account = await findAccount(db, { email })
      if (!account) return
      const link = { userId: account.id, email: account.email }
      await mailLink(deps, 'reset-password', link, resetLetter)
    })
    return reply.code(202).send()
  })

  /**
   * Gives an account a new password, and ends its sessions, links and known browsers but for this one.
   * A second factor stays: the mailbox alone does not open the account. The link also proves the
   * address: if it was not proved, what was set up before ends. A weak password leaves the link.
   */
  const reset = { schema: { body: passwordReset } }
  app.post('/api/auth/reset-password', reset, async (request, reply) => {
    demandPasswordLogin(deps)
    await countUse(request)
    const { token, password } = request.body
    const now = clock()
    const account = await accountOf(db, await readToken(db, 'reset-password', token, now))
    const { id, email } = account
    await refuseWeakPassword(password, account)
    const hash = await hashing.hash(request, password)
    const by = checkedActor(id, originOf(request))
    const change = async ({ tx, report }: Change) => {
      if (!(await spendToken(tx, 'reset-password', token, now))) throw new AppError('link_over')
      if (!account.emailVerified) {
        await endUnproven(deps, tx, id, { providerId: 'credential' })
        await markProved(tx, id)
      }
      await endSessions(tx, id)
      await forgetOtherDevices(tx, id, deps.sessions.deviceOf(request))
      await endLinks(tx, id)
      await dropChange(tx, id)
      await savePassword(tx, id, hash, now)
      await report('password-reset', passwordResetLetter)
    }
    await changeAccount(deps, by, change, await workspacesOwnedBy(db, id))
    await forgetAttempts(db, { email, address: clientAddress(request) })
    return reply.code(204).send()
  })

  app.post('/api/auth/sign-in/link', { schema: { body: mailTo } }, async (request, reply) => {
    demandPasswordLogin(deps)
    if (!mailer.hasServer) throw new AppError('no_mail_server')
    await promise(request, 'sign-in', async (email) => {
      const account = await findAccount(db, { email })
      // A newcomer gets one too, if accounts are open.
      if (!account && !(await mayOpenAccount(deps, email))) return
      const letter = account ? signInLinkLetter : firstLinkLetter
      // An address in place of the id: no account has such an id.
      const userId = account?.id ?? (email as PersonId)
      await mailLink(deps, 'sign-in', { userId, email }, letter)
    })
    return reply.code(202).send()
  })

  const linkUse = { schema: { body: mailedToken, response: { 200: signInAnswer } } }
  app.post('/api/auth/sign-in/link/use', linkUse, async (request, reply) => {
    demandPasswordLogin(deps)
    await countUse(request)
    const account = await openByLink(deps, request.body.token, originOf(request))
    return signIns.complete(request, reply, { account, method: 'link' })
  })

  app.post('/api/auth/verify-email/send', { schema: { body: mailTo } }, async (request, reply) => {
    await promise(request, 'verify-email', async (email) => {
      const account = await findAccount(db, { email })
      if (account && !account.emailVerified) await sendAddressProof(deps, account)
    })
    return reply.code(202).send()
  })

  /**
   * The mailbox alone does not prove that the account is the reader's: a stranger may have made it
   * with their address and know its password.
   */
  const proving = {
    schema: { body: addressProof, response: { 200: signInAnswer, 204: z.undefined() } },
  }
  app.post('/api/auth/verify-email', proving, async (request, reply) => {
    const { token, password } = request.body
    await countUse(request)
    const account = await accountOf(db, await readToken(db, 'verify-email', token, clock()))
    const given = { account, password }
    const shown = account.emailVerified ? undefined : await showOwner(deps, request, reply, given)
    await acceptAddressProof(deps, token, { shown, origin: originOf(request) })
    if (!shown || 'sessionId' in shown) return reply.code(204).send()
    // A user who has given the password need not give it again to sign in.
    const own = { ...shown, account: { ...account, emailVerified: true } }
    return signIns.complete(request, reply, own)
  })
}

/**
 * Uses a link up, and finds or makes the account of the address that it was mailed to. The link proves
 * the address.
 * @throws AppError link_over, sign_up_closed
 */
async function openByLink(deps: AccountDeps, token: string, origin: Origin): Promise<AccountRow> {
  const { db, clock } = deps
  const now = clock()
  const link = await spendToken(db, 'sign-in', token, now)
  if (!link) throw new AppError('link_over')
  const account = await findAccount(db, { email: link.email })
  if (account) {
    if (!account.emailVerified) await proveAddress(deps, account.id, origin)
    return { ...account, emailVerified: true }
  }
  if (!(await mayOpenAccount(deps, link.email))) throw new AppError('sign_up_closed')
  const [name = link.email] = link.email.split('@')
  const made = { email: link.email, name, emailVerified: true, credential: undefined }
  return openAccount(deps, made, origin)
}
