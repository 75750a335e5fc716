import type { FastifyReply, FastifyRequest } from 'fastify'
import { PICTURE_MAX_BYTES } from '#contract/accounts/account-settings.ts'
import { checkedActor, sessionOf } from '../../../actor.ts'
import { NOBODY, type PersonId } from '../../../database/ids.ts'
import { type DownloadLimits, download } from '../../../http/download.ts'
import { AppError } from '../../../http/errors.ts'
import type { AccountDeps } from '../../account-deps.ts'
import { changeAccount, mayOpenAccount, openAccount } from '../../account-events.ts'
import { providerLinkedLetter, providerUnlinkedLetter } from '../../letters.ts'
import { originOf } from '../../origin.ts'
import { proveAddress } from '../../proof/address-proof.ts'
import { readCookie } from '../../sessions/cookies.ts'
import { hasSession } from '../../sessions/sessions-store.ts'
import {
  type AccountRow,
  addSignInMethod,
  findAccount,
  passwordHashOf,
  pictureUrlOf,
  saveUserPicture,
} from '../../users-store.ts'
import { credentialsOf } from '../passkeys/passkeys-store.ts'
import { hasSecondFactor } from '../second-factor/second-factor-store.ts'
import type { SignInDeps } from '../sign-in.ts'
import type { Identity } from './identity.ts'
import { decideLink, decideSignIn } from './linking.ts'
import type { ProvedIdentity, Provider } from './provider.ts'
import type { Failure } from './provider-pages.ts'
import {
  endProviderSessions,
  findLinked,
  idTokenOf,
  linkedSubject,
  linksOf,
  removeLinks,
} from './provider-store.ts'

/** Signs in, links and unlinks the people whom the provider has proved. */
export function providerSignIn(deps: SignInDeps & { provider: Provider }) {
  const { db, clock, config, provider } = deps

  /** Signs a person in, to a new account if they have none. @returns why not */
  async function open(
    request: FastifyRequest,
    reply: FastifyReply,
    { identity, idToken }: ProvedIdentity,
  ): Promise<Failure | undefined> {
    const account = await accountOf(request, identity)
    if (typeof account === 'string') return account
    const proved = { account, method: 'provider', idToken } as const
    const answer = await deps.signIns.complete(request, reply, proved).catch((error) => {
      // The owner has unlinked the provider since.
      if (error instanceof AppError && error.code === 'invalid_credentials') return undefined
      throw error
    })
    if (!answer) return 'over'
    return 'user' in answer ? undefined : 'look-at-mail'
  }

  /** Makes the provider a way into this account, if the browser is signed in to it. @returns why not */
  async function link(
    request: FastifyRequest,
    reply: FastifyReply,
    { identity }: ProvedIdentity,
    userId: PersonId,
  ): Promise<Failure | undefined> {
    const session = await deps.sessions.current(request, reply)
    const owner = await findAccount(db, { id: userId })
    if (!owner || session?.userId !== userId) return 'over'
    const decision = decideLink(identity, owner, {
      linked: await findLinked(db, provider.id, identity.subject),
      linkedSubject: await linkedSubject(db, provider.id, userId),
    })
    if (decision.do === 'refuse') return decision.why
    if (decision.do === 'nothing') return undefined
    await addLink(request, owner, identity)
    if (decision.isProof) await prove(request, owner, session.id)
    return undefined
  }

  /**
   * Unlinks the provider from the account, if it is linked, and ends the other sessions that it opened.
   * @throws AppError last_way_in; unauthorized if the session has ended since
   */
  async function unlink(request: FastifyRequest): Promise<void> {
    const { mailer } = deps
    const { personId: userId } = request.actor
    const session = sessionOf(request)
    await changeAccount(deps, request.actor, async ({ tx, account, report }) => {
      if (!session || !(await hasSession(tx, userId, session.id))) {
        throw new AppError('unauthorized')
      }
      if ((await linksOf(tx, userId)).length === 0) return
      if (!config.passwordLogin) {
        throw new AppError('last_way_in', `Everyone logs in here with ${provider.name}.`)
      }
      const hasOtherWay =
        (mailer.hasServer && account.emailVerified) ||
        (await passwordHashOf(tx, userId)) !== null ||
        (await credentialsOf(tx, userId)).length > 0
      if (!hasOtherWay) throw new AppError('last_way_in')
      await removeLinks(tx, userId)
      await endProviderSessions(tx, userId, session.id)
      await report('provider-unlinked', (context) => providerUnlinkedLetter(context, provider.name))
    })
  }

  /** The account that a person at the provider opens, or why there is none. */
  async function accountOf(request: FastifyRequest, identity: Identity) {
    const { subject, email } = identity
    const namesake = email ? await findAccount(db, { email }) : undefined
    const decision = decideSignIn(identity, {
      linked: await findLinked(db, provider.id, subject),
      namesake,
      linkedSubject: namesake && (await linkedSubject(db, provider.id, namesake.id)),
      // If only the provider signs in, no sign-in asks for a code, and the owner could not link otherwise.
      isGuarded: config.passwordLogin && (await hasSecondFactor(db, namesake?.id ?? NOBODY)),
      mayOpen: await mayOpenAccount(deps, email ?? ''),
    })
    switch (decision.do) {
      case 'refuse':
        return decision.why
      case 'open':
        if (!decision.isProof) return decision.account
        await prove(request, decision.account)
        return { ...decision.account, emailVerified: true }
      case 'link':
        await addLink(request, decision.account, identity)
        return decision.account
      case 'make':
        return make(request, identity, decision.email)
    }
  }

  async function make(request: FastifyRequest, identity: Identity, email: string) {
    const { name, firstName, lastName, subject, picture } = identity
    const credential = { providerId: provider.id, accountId: subject }
    const given = { email, name, firstName, lastName, emailVerified: true, credential }
    const newcomer = openAccount(deps, given, originOf(request), 'provider-linked')
    const made = await newcomer.catch(async (error) => {
      // If two requests come at once, one makes the account and both open it.
      const linked = await findLinked(db, provider.id, subject)
      if (linked) return linked
      throw error instanceof AppError ? new AppError('unavailable') : error
    })
    if (picture) fetchPicture(deps, made.id, picture)
    return made
  }

  async function addLink(
    request: FastifyRequest,
    account: AccountRow,
    { subject, picture }: Identity,
  ) {
    const link = { providerId: provider.id, accountId: subject }
    const about = { provider: provider.name, passwordLogin: config.passwordLogin }
    const by = checkedActor(account.id, originOf(request))
    const isNew = await changeAccount(deps, by, async ({ tx, report }) => {
      if (!(await addSignInMethod(tx, account.id, link, clock()))) return false
      await report('provider-linked', (context) => providerLinkedLetter(context, about))
      return true
    })
    if (!isNew) {
      // If two requests come at once, one links and the other finds the link.
      const linked = await findLinked(db, provider.id, subject)
      if (linked?.id === account.id) return
      throw new AppError('unavailable')
    }
    if (picture) fetchPicture(deps, account.id, picture)
  }

  /** @param sessionId the session from which the address is proved, if there is one */
  function prove(request: FastifyRequest, account: AccountRow, sessionId?: string): Promise<void> {
    const provedBy = { providerId: provider.id, sessionId }
    return proveAddress(deps, account.id, originOf(request), provedBy)
  }

  return { open, link, unlink }
}

const LIMITS: DownloadLimits = { maxBytes: PICTURE_MAX_BYTES, patienceMs: 5_000 }

/**
 * Fetches the picture that a provider names, once, for an account without one, after the answer:
 * browsers never ask the provider for it. An account without a picture is shown by initials.
 * @param limits others than the usual ones, in tests
 */
export function fetchPicture(
  { db, log, later, uploads }: Pick<AccountDeps, 'db' | 'log' | 'later' | 'uploads'>,
  userId: PersonId,
  address: string,
  limits: Partial<DownloadLimits> = {},
): void {
  later.run(async () => {
    if (await pictureUrlOf(db, userId)) return
    try {
      const file = await download(address, { ...LIMITS, ...limits })
      await saveUserPicture(db, userId, await uploads.portrait(userId, file))
    } catch (error) {
      log.info({ userId, why: (error as Error).message }, 'the provider’s picture is not taken')
    }
  })
}

/**
 * The URL that signs a browser out of the provider as well: otherwise the next person at this browser
 * would get in with the press of a button. Undefined for a session that began in another way, and if
 * the provider does not answer: our own session ends all the same.
 */
export async function leaveProvider(
  deps: Pick<SignInDeps, 'db' | 'provider' | 'publicUrl' | 'secret'>,
  request: FastifyRequest,
): Promise<string | undefined> {
  const { db, provider } = deps
  const token = provider && readCookie(request, deps, 'session')
  const idToken = token && (await idTokenOf(db, token))
  if (!provider || !idToken) return undefined
  return provider.signOutUrl(idToken).catch((error: Error) => {
    request.log.warn({ why: error.message }, 'a sign-out at the provider failed')
    return undefined
  })
}
