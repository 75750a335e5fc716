import type { FastifyBaseLogger, FastifyReply, FastifyRequest } from 'fastify'
import { PICTURE_MAX_BYTES } from '#contract/account-settings.ts'
import { recordEvent } from '../../../audit.ts'
import type { Config } from '../../../config.ts'
import type { Db } from '../../../database/schema.ts'
import { transact } from '../../../database/transact.ts'
import { AppError } from '../../../http/errors.ts'
import { type DownloadLimits, download } from '../../../http/public-network.ts'
import { recordAndTell } from '../../account-events.ts'
import type { BackgroundTasks } from '../../background-tasks.ts'
import { providerLinkedLetter } from '../../letters.ts'
import { originOf } from '../../origin.ts'
import { type FirstProofDeps, proveAddress } from '../../recovery/first-proof.ts'
import { type CookieSettings, readCookie } from '../../sessions/cookies.ts'
import {
  type AccountRow,
  createAccount,
  findAccount,
  linkProvider,
  pictureUrlOf,
} from '../../users-store.ts'
import { hasSecondFactor } from '../second-factor/second-factor-store.ts'
import type { SignIn, SignInDeps } from '../sign-in.ts'
import type { Identity } from './identity.ts'
import { decideLink, decideSignIn } from './linking.ts'
import type { Proved, Provider } from './provider.ts'
import type { Failure } from './provider-pages.ts'
import { findLinked, idTokenOf, linkedSubject } from './provider-store.ts'

export type ProviderSignInDeps = SignInDeps &
  FirstProofDeps & {
    config: Pick<Config, 'publicUrl' | 'signUp' | 'passwordLogin'>
    provider: Provider
    signIns: SignIn
    /** Fetches the picture that the provider names and stores it, after the answer. It never throws. */
    takePicture: (userId: string, url: string) => void
  }

/** What happens here with somebody whom the provider has proved. */
export class ProviderSignIn {
  readonly #deps: ProviderSignInDeps

  constructor(deps: ProviderSignInDeps) {
    this.#deps = deps
  }

  /** Signs them in, to a new account if they have none. @returns why not */
  async open(
    request: FastifyRequest,
    reply: FastifyReply,
    { identity, idToken }: Proved,
  ): Promise<Failure | undefined> {
    const account = await this.#accountOf(request, identity)
    if (typeof account === 'string') return account
    const proved = { account, method: 'provider', idToken } as const
    const answer = await this.#deps.signIns.complete(request, reply, proved).catch((error) => {
      // The owner has unlinked the provider meanwhile.
      if (error instanceof AppError && error.code === 'invalid_credentials') return undefined
      throw error
    })
    if (!answer) return 'over'
    return 'user' in answer ? undefined : 'look-at-mail'
  }

  /** Makes the provider a way into the account that this browser is signed in to. @returns why not */
  async link(
    request: FastifyRequest,
    identity: Identity,
    { userId, sessionId }: { userId: string; sessionId: string },
  ): Promise<Failure | undefined> {
    const { db, provider } = this.#deps
    const owner = await findAccount(db, { id: userId })
    if (!owner) return 'over'
    const decision = decideLink(identity, owner, {
      linked: await findLinked(db, provider.id, identity.subject),
      linkedSubject: await linkedSubject(db, provider.id, userId),
    })
    if (decision.do === 'refuse') return decision.why
    if (decision.do === 'nothing') return undefined
    await this.#link(request, owner, identity)
    if (decision.isProof) await this.#prove(request, owner, sessionId)
    return undefined
  }

  /** The account that a person of the provider's opens, or why there is none. */
  async #accountOf(request: FastifyRequest, identity: Identity): Promise<AccountRow | Failure> {
    const { db, provider, config } = this.#deps
    const { subject, email } = identity
    const namesake = email ? await findAccount(db, { email }) : undefined
    const decision = decideSignIn(identity, {
      linked: await findLinked(db, provider.id, subject),
      namesake,
      linkedSubject: namesake && (await linkedSubject(db, provider.id, namesake.id)),
      // Where only the provider signs in, nobody asks for another step, and nobody else could link.
      isGuarded: config.passwordLogin && (await hasSecondFactor(db, namesake?.id ?? '')),
      signUp: config.signUp,
    })
    switch (decision.do) {
      case 'refuse':
        return decision.why
      case 'open':
        if (!decision.isProof) return decision.account
        await this.#prove(request, decision.account)
        return { ...decision.account, emailVerified: true }
      case 'link':
        await this.#link(request, decision.account, identity)
        return decision.account
      case 'make':
        return this.#make(request, identity, decision.email)
    }
  }

  async #make(request: FastifyRequest, identity: Identity, email: string): Promise<AccountRow> {
    const { db, clock, provider } = this.#deps
    const { name, firstName, lastName, subject } = identity
    const credential = { providerId: provider.id, accountId: subject }
    const given = { email, name, firstName, lastName, emailVerified: true, credential }
    const [now, origin] = [clock(), originOf(request)]
    const made = await transact(db, async (tx) => {
      const account = await createAccount(tx, given, now)
      for (const event of ['signed-up', 'provider-linked'] as const) {
        await recordEvent(tx, { userId: account.id, actor: 'user', event, origin }, now)
      }
      return account
    }).catch(async (error) => {
      // Of two at once one makes the account, and both open it.
      const linked = await findLinked(db, provider.id, subject)
      if (linked) return linked
      throw error instanceof AppError ? new AppError('unavailable') : error
    })
    if (identity.picture) this.#deps.takePicture(made.id, identity.picture)
    return made
  }

  async #link(request: FastifyRequest, account: AccountRow, identity: Identity) {
    const { db, clock, mailer, provider, config } = this.#deps
    const link = { providerId: provider.id, accountId: identity.subject }
    const isLinked = await transact(db, async (tx) => {
      if (!(await linkProvider(tx, account.id, link, clock()))) return false
      const about = { provider: provider.name, passwordLogin: config.passwordLogin }
      await recordAndTell(tx, this.#deps, {
        event: 'provider-linked',
        account,
        origin: originOf(request),
        letter: (happening) => providerLinkedLetter({ ...happening, ...about }),
      })
      return true
    })
    if (!isLinked) {
      // Of two at once one links, and the other finds what it has done.
      const linked = await findLinked(db, link.providerId, link.accountId)
      if (linked?.id === account.id) return
      throw new AppError('unavailable')
    }
    mailer.soon()
    if (identity.picture) this.#deps.takePicture(account.id, identity.picture)
  }

  /** @param sessionId the session from which the address is proved, if there is one */
  async #prove(request: FastifyRequest, account: AccountRow, sessionId?: string) {
    const { db, clock, provider } = this.#deps
    const kept = { providerId: provider.id, ...(sessionId && { sessionId }) }
    if (!(await proveAddress(this.#deps, account.id, kept))) return
    const origin = originOf(request)
    const entry = { userId: account.id, actor: 'user', event: 'email-verified', origin } as const
    await recordEvent(db, entry, clock())
  }
}

const LIMITS: DownloadLimits = { maxBytes: PICTURE_MAX_BYTES, patienceMs: 5_000 }

type Deps = {
  db: Db
  log: FastifyBaseLogger
  later: BackgroundTasks
  storePicture: (db: Db, userId: string, bytes: Uint8Array) => Promise<void>
  /** Others than the usual ones, in tests */
  limits?: Partial<DownloadLimits>
}

/**
 * Fetches the picture that a provider names, once, for somebody who has none: people's browsers never
 * ask the provider for it. Who has no picture in the end is shown by initials.
 */
export function pictureTaker({ db, log, later, storePicture, limits }: Deps) {
  return (userId: string, address: string) =>
    later.run(async () => {
      if (await pictureUrlOf(db, userId)) return
      try {
        await storePicture(db, userId, await download(address, { ...LIMITS, ...limits }))
      } catch (error) {
        log.info({ userId, why: (error as Error).message }, 'the provider’s picture is not taken')
      }
    })
}

/**
 * Where a browser signs out of the provider as well: otherwise the next press of a button would let
 * anybody at this browser in again. Undefined for a session that began in another way, and where the
 * provider does not answer: our own session ends all the same.
 */
export function leaveProvider({
  db,
  cookies,
  provider,
}: {
  db: Db
  cookies: CookieSettings
  provider: Provider | undefined
}) {
  return async (request: FastifyRequest): Promise<string | undefined> => {
    const token = provider && readCookie(request, cookies, 'session')
    const idToken = token && (await idTokenOf(db, token))
    if (!provider || !idToken) return undefined
    return provider.signOutUrl(idToken).catch((error: Error) => {
      request.log.warn({ why: error.message }, 'nobody signed out at the provider')
      return undefined
    })
  }
}
