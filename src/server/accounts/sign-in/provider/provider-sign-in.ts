import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordEvent } from '../../../audit/audit-store.ts'
import type { Config } from '../../../config.ts'
import { transact } from '../../../database/transact.ts'
import { AppError } from '../../../http/errors.ts'
import { recordAndTell } from '../../account-events.ts'
import { providerLinkedLetter } from '../../letters.ts'
import { originOf } from '../../origin.ts'
import { proveAddress } from '../../recovery/first-proof.ts'
import { type AccountRow, createAccount, findAccount, linkProvider } from '../../users-store.ts'
import { hasSecondFactor } from '../second-factor/second-factor-store.ts'
import type { SignIn, SignInDeps } from '../sign-in.ts'
import type { Identity } from './identity.ts'
import { decideLink, decideSignIn } from './linking.ts'
import type { Proved, Provider } from './provider.ts'
import type { Failure } from './provider-pages.ts'
import { findLinked, linkedSubject } from './provider-store.ts'

export type ProviderSignInDeps = SignInDeps & {
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
    const { isProof } = decision
    await this.#link(request, owner, identity, isProof)
    if (isProof) await this.#prove(request, owner, sessionId)
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

  async #link(request: FastifyRequest, account: AccountRow, identity: Identity, isProof = false) {
    const { db, clock, mailer, provider, config } = this.#deps
    const link = { providerId: provider.id, accountId: identity.subject }
    const isLinked = await transact(db, async (tx) => {
      if (!(await linkProvider(tx, account.id, link, clock()))) return false
      const about = { provider: provider.name, isProof, passwordLogin: config.passwordLogin }
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
    if (!(await proveAddress(db, account.id, kept))) return
    const origin = originOf(request)
    const entry = { userId: account.id, actor: 'user', event: 'email-verified', origin } as const
    await recordEvent(db, entry, clock())
  }
}
