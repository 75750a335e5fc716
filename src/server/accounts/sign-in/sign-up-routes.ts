import type { FastifyReply, FastifyRequest } from 'fastify'
import { type SignUp, signInAnswer, signUp } from '#contract/accounts/accounts.ts'
import { DAY_MS } from '#contract/time.ts'
import { AppError } from '../../http/errors.ts'
import { count } from '../../http/limits/counts-store.ts'
import { clientAddress } from '../../http/policy/client-address.ts'
import type { Api } from '../../room.ts'
import { openAccount } from '../account-events.ts'
import { alreadyHereLetter } from '../letters.ts'
import { originOf } from '../origin.ts'
import { demandPasswordLogin, refuseWeakPassword } from '../passwords/password-rules.ts'
import { mailAddressProof, sendAddressProof } from '../proof/address-proof.ts'
import { countMail } from '../proof/mailed-links.ts'
import { type AccountRow, findAccount } from '../users-store.ts'
import type { SignInDeps } from './sign-in.ts'

/** New accounts with a password. */
export async function signUpRoutes(app: Api, deps: SignInDeps) {
  const { db, clock, config, hashing, signIns, mailer, later } = deps

  const newAccount = {
    config: { origin: 'public' },
    schema: { body: signUp, response: { 200: signInAnswer } },
  } as const
  app.post('/api/auth/sign-up/email', newAccount, async (request, reply) => {
    demandPasswordLogin(deps)
    const { email, name, password } = request.body
    // Those who are invited come by a mail: the address alone proves nothing.
    if (config.signUp !== 'open') throw new AppError('sign_up_closed')
    await count(db, 'sign-ups', clientAddress(request), clock())
    await refuseWeakPassword(password, { email, name })
    return config.verifyEmail === 'required' ? promise(request) : signUpNow(request, reply)
  })

  type Asked = FastifyRequest<{ Body: SignUp }>

  async function signUpNow(request: Asked, reply: FastifyReply) {
    if (await findAccount(db, { email: request.body.email })) throw new AppError('account_exists')
    const passwordHash = await hashing.hash(request, request.body.password)
    const account = await create(request, passwordHash)
    await mailAddressProof(deps, account)
    return signIns.complete(request, reply, { account, method: 'sign-up', passwordHash })
  }

  /** Gives every address the same answer: it must be proved anyway, and a stranger learns nothing here. */
  async function promise(request: Asked) {
    const email = request.body.email.toLowerCase()
    await countMail(deps, 'verify-email', email)
    const hash = await hashing.hash(request, request.body.password)
    later.run(async () => {
      const known = await findAccount(db, { email })
      if (known) return mailKnown(known)
      const account = await create(request, hash, { mustVerify: true })
      await sendAddressProof(deps, account)
    })
    return { next: 'verify-email' as const }
  }

  async function mailKnown(account: AccountRow) {
    if (!account.emailVerified) return sendAddressProof(deps, account)
    const letter = alreadyHereLetter(deps.publicUrl)
    const mail = { kind: 'already-here', to: account.email, letter, lifeMs: DAY_MS }
    await mailer.queue(db, mail)
    mailer.soon()
  }

  function create(request: Asked, hash: string, { mustVerify = false } = {}) {
    const { email, name } = request.body
    const credential = { password: hash }
    const given = { email, name, emailVerified: false, mustVerify, credential }
    return openAccount(deps, given, originOf(request))
  }
}
