import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownerProof, providerLink } from '#contract/accounts/account-settings.ts'
import { safeReturnTo } from '#contract/accounts/return-to.ts'
import { z } from '#contract/zod.ts'
import { AppError, answerError, toAppError } from '../../../http/errors.ts'
import { memoryLimits } from '../../../http/limits/limits.ts'
import { rateLimit } from '../../../http/limits/memory-counts.ts'
import { sendPlainPage } from '../../../http/plain-page.ts'
import { clientAddress } from '../../../http/policy/client-address.ts'
import type { Api } from '../../../room.ts'
import { cookieNames, readCookie, setCookie } from '../../sessions/cookies.ts'
import type { SignInDeps } from '../sign-in.ts'
import { CALLBACK_PATH, type Flow, type Provider } from './provider.ts'
import { ProviderFault } from './provider-fault.ts'
import { type Failure, failurePage, SETTINGS } from './provider-pages.ts'
import { providerSignIn } from './provider-sign-in.ts'

/** Sign-ins that a browser has begun, in a cookie each: beyond that the oldest ends. */
const FLOWS_MAX = 3
const NAME = 'provider_'
const nameOf = (state: string) => NAME + state.slice(0, 16)
const LIFE_S = 10 * 60
/** A cookie has at most 4,096 bytes with its name (RFC 6265 §6.1), in base64 and signed. */
const RETURN_TO_MAX = 1_500

/** Signing in at the operator's OpenID Connect provider, and linking it to an account and unlinking it. */
export async function providerRoutes(app: Api, deps: SignInDeps & { provider: Provider }) {
  const { sessions, clock, config, provider } = deps
  const signIn = providerSignIn(deps)

  const linking = {
    onRequest: deps.requireUser,
    schema: { body: ownerProof, response: { 200: providerLink } },
  }
  app.post('/api/account/provider/link', linking, async (request, reply) => {
    await deps.demandOwner(request, request.body.password)
    const { url, flow } = await provider
      .begin({ returnTo: SETTINGS, linkTo: request.actor.personId, isAgain: false })
      .catch((fault: ProviderFault) => {
        request.log.error({ err: fault }, 'the provider does not answer')
        throw new AppError('provider_unavailable')
      })
    rememberFlow(request, reply, flow)
    return { url }
  })

  const unlinking = { onRequest: deps.requireUser, schema: { body: ownerProof } }
  app.delete('/api/account/provider', unlinking, async (request, reply) => {
    await deps.demandOwner(request, request.body.password)
    await signIn.unlink(request)
    return reply.code(204).send()
  })

  await app.register(async (pages: Api) => {
    const countVisit = () => ({ onRequest: rateLimit(memoryLimits.visits, clientAddress) })
    pages.setErrorHandler((error, request, reply) => {
      // A person opens these addresses in a browser, so every failure is a page.
      if (error instanceof ProviderFault) return showFault(request, reply, error)
      if (toAppError(error).status < 500) return answerError(error, request, reply)
      request.log.error({ err: error }, 'sign-in at the provider failed')
      return show(reply, 'trouble', {})
    })

    const query = z.object({ returnTo: z.unknown().default('/').transform(safeReturnTo) })
    const leaving = { ...countVisit(), schema: { querystring: query } }
    pages.get('/api/auth/provider', leaving, async (request, reply) => {
      const { returnTo } = request.query
      // A user who is signed in comes to prove it again: the provider must not just know the browser.
      const isAgain = (await sessions.current(request, reply)) !== null
      const { url, flow } = await provider.begin({ returnTo, linkTo: null, isAgain })
      rememberFlow(request, reply, flow)
      return reply.header('cache-control', 'no-store').redirect(url)
    })

    pages.get(CALLBACK_PATH, countVisit(), async (request, reply) => {
      const { search, searchParams } = new URL(request.url, config.publicUrl)
      const state = searchParams.get('state') ?? ''
      const flow = takeFlow(request, reply, state)
      // Without this browser's own state, a stranger could have sent it here.
      if (!flow) return show(reply, 'over', {})
      const proved = await provider.finish(flow, search).catch((fault) => fault as ProviderFault)
      if (proved instanceof Error) return showFault(request, reply, proved, flow)
      const failure = flow.linkTo
        ? await signIn.link(request, reply, proved, flow.linkTo)
        : await signIn.open(request, reply, proved)
      if (failure) return show(reply, failure, { flow, email: proved.identity.email })
      return reply.header('cache-control', 'no-store').redirect(flow.returnTo)
    })
  })

  function rememberFlow(request: FastifyRequest, reply: FastifyReply, begun: Flow) {
    const returnTo = begun.returnTo.length > RETURN_TO_MAX ? '/' : begun.returnTo
    const until = clock().getTime() + LIFE_S * 1000
    const value = Buffer.from(JSON.stringify({ ...begun, returnTo, until })).toString('base64url')
    // Browsers send the oldest first (RFC 6265 §5.4).
    const begunBefore = cookieNames(request, deps, NAME)
    for (const name of begunBefore.slice(0, 1 - FLOWS_MAX)) {
      setCookie(reply, deps, { name, value: '', seconds: 0 })
    }
    setCookie(reply, deps, { name: nameOf(begun.state), value, seconds: LIFE_S })
  }

  /** The sign-in that this browser began with this state, which it can end once; undefined without one or if it is too late. */
  function takeFlow(request: FastifyRequest, reply: FastifyReply, state: string) {
    const name = nameOf(state)
    const value = readCookie(request, deps, name)
    if (!value) return undefined
    setCookie(reply, deps, { name, value: '', seconds: 0 })
    // We have signed it.
    const flow: Flow & { until: number } = JSON.parse(Buffer.from(value, 'base64url').toString())
    return flow.state === state && flow.until > clock().getTime() ? flow : undefined
  }

  function showFault(
    request: FastifyRequest,
    reply: FastifyReply,
    fault: Error,
    flow?: Flow | undefined,
  ) {
    if (!(fault instanceof ProviderFault)) throw fault
    // The message has no code and no token in it.
    const about = { reason: fault.reason, why: fault.message }
    if (fault.reason === 'down') request.log.error(about, 'the provider does not answer')
    else request.log.info(about, 'a sign-in at the provider failed')
    return show(reply, fault.reason, { flow })
  }

  function show(
    reply: FastifyReply,
    failure: Failure,
    { flow, email }: { flow?: Flow | undefined; email?: string | undefined },
  ) {
    const { passwordLogin } = config
    const returnTo = flow?.returnTo ?? '/dashboard'
    const isLink = typeof flow?.linkTo === 'string'
    const about = { provider: provider.name, email, returnTo, isLink, passwordLogin }
    const { status, html } = failurePage(failure, about)
    if (status === 503) reply.header('retry-after', '5')
    return sendPlainPage(reply, status, html)
  }
}
