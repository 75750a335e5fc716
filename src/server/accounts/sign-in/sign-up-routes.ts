import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { type SignUp, signInAnswer, signUp } from '#contract/accounts.ts'
import { DAY_MS } from '#contract/time.ts'
import { recordEvent } from '../../audit.ts'
import type { Config } from '../../config.ts'
import { transact } from '../../database/transact.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { BackgroundTasks } from '../background-tasks.ts'
import { originOf } from '../origin.ts'
import type { Hashing } from '../passwords/hashing.ts'
import { refuseWeakPassword } from '../passwords/password-rules.ts'
import { countMail } from '../recovery/mailed-links.ts'
import { sendProof } from '../recovery/proof.ts'
import { alreadyHereLetter } from '../recovery/recovery-letters.ts'
import { type AccountRow, createAccount, findAccount, hasAccount } from '../users-store.ts'
import type { SignIn, SignInDeps } from './sign-in.ts'

export type SignUpRoutesDeps = SignInDeps & {
  config: Pick<Config, 'publicUrl' | 'signUp' | 'verifyEmail' | 'passwordLogin'>
  hashing: Hashing
  signIns: SignIn
  later: BackgroundTasks
}

/** New accounts with a password. */
export async function signUpRoutes(plain: FastifyInstance, deps: SignUpRoutesDeps) {
  const app = plain.withTypeProvider<ZodTypeProvider>()
  const { db, clock, config, hashing, signIns, mailer, later } = deps

  app.post(
    '/api/auth/sign-up/email',
    { config: { origin: 'public' }, schema: { body: signUp, response: { 200: signInAnswer } } },
    async (request, reply) => {
      if (!config.passwordLogin) throw new AppError('not_found')
      if (config.signUp === 'closed') throw new AppError('sign_up_closed')
      const { email, name, password } = request.body
      await count(db, 'sign-ups', clientAddress(request), clock())
      await refuseWeakPassword(password, { email, name })
      return config.verifyEmail === 'required' ? promise(request) : signUpNow(request, reply)
    },
  )

  type Asked = FastifyRequest<{ Body: SignUp }>

  async function signUpNow(request: Asked, reply: FastifyReply) {
    if (await hasAccount(db, request.body.email)) throw new AppError('account_exists')
    const account = await create(request, await hashing.hash(request, request.body.password))
    await deps.mailProof(account)
    return signIns.complete(request, reply, { account, method: 'sign-up' })
  }

  /** Where an address must be proved anyway, nobody learns here who has an account. */
  async function promise(request: Asked) {
    const email = request.body.email.toLowerCase()
    await countMail(deps, 'verify-email', email)
    const hash = await hashing.hash(request, request.body.password)
    later.run(async () => {
      const known = await findAccount(db, { email })
      if (known) return tellKnown(known)
      const account = await create(request, hash, { mustVerify: true })
      await sendProof(deps, account)
    })
    return { next: 'verify-email' as const }
  }

  async function tellKnown(account: AccountRow) {
    if (!account.emailVerified) return sendProof(deps, account)
    const letter = alreadyHereLetter(config.publicUrl)
    const mail = { kind: 'already-here', to: account.email, letter, lifeMs: DAY_MS }
    await mailer.queue(db, mail)
    mailer.soon()
  }

  async function create(request: Asked, hash: string, { mustVerify = false } = {}) {
    const { email, name } = request.body
    const credential = { password: hash }
    const given = { email, name, emailVerified: false, mustVerify, credential }
    const [now, origin] = [clock(), originOf(request)]
    return transact(db, async (tx) => {
      const account = await createAccount(tx, given, now)
      const entry = { userId: account.id, actor: 'user', event: 'signed-up', origin } as const
      await recordEvent(tx, entry, now)
      return account
    })
  }
}
