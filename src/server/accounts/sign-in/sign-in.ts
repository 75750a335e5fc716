import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInAnswer, User } from '#contract/accounts/accounts.ts'
import { DAY_MS } from '#contract/time.ts'
import { checkedActor, lockPerson } from '../../actor.ts'
import type { PersonId } from '../../database/ids.ts'
import type { Tx } from '../../database/schema.ts'
import { transact } from '../../database/transact.ts'
import { iso } from '../../dates.ts'
import { localeOf } from '../../formats.ts'
import { AppError } from '../../http/errors.ts'
import { workspacesOf } from '../../memberships.ts'
import type { AccountDeps } from '../account-deps.ts'
import { recordAndMail } from '../account-events.ts'
import { newDeviceLetter } from '../letters.ts'
import { originOf } from '../origin.ts'
import { mailAddressProof } from '../proof/address-proof.ts'
import type { Proved } from '../proof/owner-proof.ts'
import { readCookie, setCookie } from '../sessions/cookies.ts'
import { createSession, findDevice, rememberDevice } from '../sessions/sessions-store.ts'
import {
  findAccount,
  ownAccount,
  passwordHashOf,
  pictureUrlOf,
  saveLocale,
} from '../users-store.ts'
import { findPasskey } from './passkeys/passkeys-store.ts'
import type { Provider } from './provider/provider.ts'
import { linksOf, saveIdToken } from './provider/provider-store.ts'
import {
  addSignIn,
  countAttempt,
  endSignIn,
  hasSecondFactor,
  SIGN_IN_MS,
  type WaitingSignIn,
} from './second-factor/second-factor-store.ts'

/** The dependencies of the ways to sign in */
export type SignInDeps = AccountDeps & {
  signIns: ReturnType<typeof signInSteps>
  provider: Provider | undefined
}

const COOKIE = 'challenge'
const DEVICE_BYTES = 16
/** How long a browser is known: the longest that browsers keep a cookie (RFC 6265bis §5.5) */
const DEVICE_S = (400 * DAY_MS) / 1000

/**
 * The steps of a sign-in. Password, passkey, mailed link and provider are its first step, each of which
 * ends in `complete`: with a session, or with a row of `sign_ins` that waits for a code. `finish` makes
 * that a session. A session takes the place of the one that this browser had.
 */
export function signInSteps(deps: AccountDeps) {
  const { db, clock, sessions } = deps

  /**
   * Ends the first step. It checks under a lock that what was proved still counts: a new password, a
   * second step or an unlinking takes the same lock.
   * @throws AppError invalid_credentials if what was proved has ended since
   */
  async function complete(
    request: FastifyRequest,
    reply: FastifyReply,
    proved: Proved,
  ): Promise<SignInAnswer> {
    const { account, method } = proved
    const { id } = account
    if (account.mustVerify && !account.emailVerified) {
      await mailAddressProof(deps, account)
      return { next: 'verify-email' }
    }
    const device = deviceOf(request)
    const done = await transact(db, async (tx) => {
      await lockPerson(tx, id)
      if (!(await isStillProved(tx, proved))) throw new AppError('invalid_credentials')
      const takesCode = method === 'password' || method === 'link'
      return takesCode && (await hasSecondFactor(tx, id))
        ? { waiting: await addSignIn(tx, { userId: id, method }, clock()) }
        : { token: await open(tx, request, proved, device) }
    })
    if (done.token !== undefined) return welcome(reply, { ...done, id, device })
    const seconds = SIGN_IN_MS / 1000
    setCookie(reply, deps, { name: COOKIE, value: done.waiting, seconds })
    return { next: 'second-factor' }
  }

  /** Returns this browser's sign-in that waits for a code, and counts an attempt. */
  async function attempt(request: FastifyRequest): Promise<WaitingSignIn | undefined> {
    const token = readCookie(request, deps, COOKIE)
    return token === undefined ? undefined : countAttempt(db, token, clock())
  }

  /** Signs in after a right code, once. @returns undefined if the sign-in has ended since */
  async function finish(request: FastifyRequest, reply: FastifyReply, waiting: WaitingSignIn) {
    const { user_id: id, token } = waiting
    const device = deviceOf(request)
    const opened = await transact(db, async (tx) => {
      await lockPerson(tx, id)
      const account = await findAccount(tx, { id })
      if (!account || !(await endSignIn(tx, token))) return undefined
      return open(tx, request, { account }, device)
    })
    if (opened === undefined) return undefined
    forget(reply)
    return welcome(reply, { token: opened, id, device })
  }

  /** Removes the waiting sign-in from the browser. */
  function forget(reply: FastifyReply) {
    setCookie(reply, deps, { name: COOKIE, value: '', seconds: 0 })
  }

  /** The account as its pages show it. @throws AppError unauthorized if it is gone */
  async function presentUser(userId: PersonId): Promise<User> {
    const { config, demo } = deps
    const [account, places] = await Promise.all([ownAccount(db, userId), workspacesOf(db, userId)])
    const own = places.find(({ isOwn }) => isOwn)
    const { id, email, firstName, lastName, emailVerified, timeZone, deletionAt } = account
    const live = demo?.isDemo(userId) ? 'live' : undefined
    const demoKind = config.demo === 'data' ? 'local' : live
    return {
      id,
      email,
      firstName,
      lastName,
      emailVerified,
      timeZone,
      profileImageUrl: await pictureUrlOf(db, userId),
      subscriptionTier: own?.subscriptionTier ?? 'free',
      deletionAt: iso(deletionAt),
      ...(demoKind && { demo: demoKind }),
      ...(places.length > 1 && { workspaces: places }),
    }
  }

  /** Makes the session, remembers the browser and mails the owner if it is new. @returns the session's token */
  async function open(
    tx: Tx,
    request: FastifyRequest,
    { account, idToken }: Pick<Proved, 'account' | 'idToken'>,
    device: string,
  ): Promise<string> {
    const origin = originOf(request)
    const userId = account.id
    await sessions.end(request, tx)
    const address = origin.address ?? ''
    const agent = request.headers['user-agent'] ?? ''
    const { id, token } = await createSession(tx, { userId, address, agent })
    await saveLocale(tx, account, localeOf(request.headers['accept-language']))
    if (idToken !== undefined) await saveIdToken(tx, id, idToken)
    const { isKnown, isFirst } = await findDevice(tx, userId, device)
    await rememberDevice(tx, userId, device, clock())
    if (!isKnown && !isFirst) {
      const event = 'signed-in-new-device'
      await recordAndMail(tx, deps, { event, account, origin, letter: newDeviceLetter })
    } else {
      await deps.record(tx, checkedActor(userId, origin), 'signed-in')
    }
    return token
  }

  /** Gives the browser its cookies. */
  async function welcome(
    reply: FastifyReply,
    { token, id, device }: { token: string; id: PersonId; device: string },
  ) {
    sessions.give(reply, token)
    setCookie(reply, deps, { name: 'device', value: device, seconds: DEVICE_S })
    return { user: await presentUser(id) }
  }

  function deviceOf(request: FastifyRequest): string {
    return sessions.deviceOf(request) ?? randomBytes(DEVICE_BYTES).toString('base64url')
  }

  return { complete, attempt, finish, forget, presentUser }
}

/** Whether the account still exists with the same password or passkey and, after the provider, is still linked. */
async function isStillProved(tx: Tx, { account: { id }, passwordHash, idToken, passkey }: Proved) {
  if (!(await findAccount(tx, { id }))) return false
  if (passwordHash !== undefined && passwordHash !== (await passwordHashOf(tx, id))) return false
  if (passkey !== undefined && !(await findPasskey(tx, passkey))) return false
  return idToken === undefined || (await linksOf(tx, id)).length > 0
}
