import { navigate } from 'wouter/use-browser-location'
import { type LinkKind, linkKinds, type User } from '#contract/accounts/accounts.ts'
import { safeReturnTo } from '#contract/accounts/return-to.ts'
import { lastPlace } from '../../workspace.ts'

/** The steps of the sign-in page: a way in, what it still needs, or a mailed link. */
export type Step = 'sign-in' | 'sign-up' | 'forgot' | 'code' | 'mail' | 'link' | 'invitation'

const PATH = '/api/login'
const namedSteps = ['forgot', 'code', 'mail'] as const

/** The step that an address names, so that Back and Reload show what they showed before. */
export function stepOf(search: string): Step {
  const query = new URLSearchParams(search)
  if (linkKindOf(search)) return 'link'
  if (query.get('link') === 'invitation') return 'invitation'
  if (query.has('new')) return 'sign-up'
  return namedSteps.find((step) => step === query.get('step')) ?? 'sign-in'
}

/** The kind of the mailed link that opened the page; undefined for any other address. */
export function linkKindOf(search: string): LinkKind | undefined {
  const named = new URLSearchParams(search).get('link')
  return linkKinds.find((kind) => kind === named)
}

/** A step that leads on from another; only a mail leads to a link's or an invitation. */
export type NextStep = Exclude<Step, 'link' | 'invitation'>

/** The address of a step. Where the person wanted to go stays in it; a failure or a link does not. */
export function addressOf(step: NextStep, search: string): string {
  const returnTo = new URLSearchParams(search).get('returnTo')
  const parts = [
    ...(step === 'sign-up' ? ['new'] : step === 'sign-in' ? [] : [`step=${step}`]),
    ...(returnTo ? [`returnTo=${encodeURIComponent(returnTo)}`] : []),
  ]
  return [PATH, parts.join('&')].filter(Boolean).join('?')
}

/** A mail and its address, if that is known: the next step says so, and can ask for it again. */
export type Mailed = { kind: 'verify-email' | 'reset-password' | 'sign-in'; email: string }

/** A step's state beside its address. It outlives a reload and stays in this tab. */
export type StepState = { mailed?: Mailed; notice?: string; failure?: string }

export function go(
  step: NextStep,
  { replace = false, ...state }: StepState & { replace?: boolean } = {},
): void {
  navigate(addressOf(step, window.location.search), { replace, state })
}

/** The person is in: to where they wanted to go, else to where they were last. */
export function leave(user: User): void {
  const wanted = new URLSearchParams(window.location.search).get('returnTo')
  window.location.assign(wanted ? safeReturnTo(wanted) : lastPlace(user))
}

/** Where the provider's own page begins, and comes back from. */
export function providerAddress(search: string): string {
  const wanted = safeReturnTo(new URLSearchParams(search).get('returnTo'))
  return `/api/auth/provider?returnTo=${encodeURIComponent(wanted)}`
}
