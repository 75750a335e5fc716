import { escapeHtml, plainPage } from '../../../http/plain-page.ts'
import type { LinkRefusal } from './linking.ts'
import type { FaultReason } from './provider-fault.ts'

/** Why a user who came back from the provider sees a page of ours instead of being signed in. */
export type Failure = FaultReason | LinkRefusal | 'look-at-mail' | 'trouble'

type About = {
  /** The operator's name for the provider */
  provider: string
  /** The address that the provider names */
  email?: string | undefined
  returnTo: string
  /** Whether a user who is signed in was linking the provider */
  isLink: boolean
  /** Whether there are other ways to sign in */
  passwordLogin: boolean
}

type Text = {
  status: number
  title: string
  says: string
  next: 'again' | 'sign-in' | 'settings' | 'none'
}

const again = (status: number, title: string, says: string): Text => ({
  status,
  title,
  says,
  next: 'again',
})

const signInFirst = (says: string): Text => ({
  status: 409,
  title: 'Please sign in to your account first',
  says,
  next: 'sign-in',
})

/** The text of each page, before it is escaped. */
const textsOf = ({ provider, email = 'your address' }: About): Record<Failure, Text> => ({
  down: again(
    503,
    `${provider} does not answer right now`,
    'You can sign in as soon as it is back. Please try again in a moment. Your QR codes keep working.',
  ),
  trouble: again(
    503,
    'Please try again in a moment',
    'We could not sign you in just now. Nothing is wrong with your account.',
  ),
  denied: again(403, 'You are not signed in', `The sign-in was cancelled at ${provider}.`),
  over: again(
    400,
    'This sign-in has expired',
    'It took too long, was used already, or was begun in another window. Please start again.',
  ),
  refused: again(
    400,
    'We could not sign you in',
    `The answer from ${provider} could not be trusted. Please try again. If it stays like this, tell the operator of this server.`,
  ),
  'no-email': again(
    403,
    `${provider} has not confirmed your address`,
    `A new account needs a confirmed e-mail address. Confirm yours at ${provider} and try again. If you have an account here, sign in to it first and link ${provider} in its settings.`,
  ),
  'sign-in-first': signInFirst(
    `There is an account for ${email}, and this address is not confirmed yet. Sign in to that account the way you did before. Then link ${provider} in its settings, or confirm the address by mail.`,
  ),
  'second-step': signInFirst(
    `The account for ${email} also asks for a code. Sign in to it the way you did before. Then link ${provider} in its settings.`,
  ),
  'linked-to-another': signInFirst(
    `The account for ${email} opens with another person’s sign-in at ${provider}. Sign in to it the way you did before. To use this sign-in instead, unlink the other one in its settings and link this one.`,
  ),
  closed: {
    status: 403,
    title: 'New accounts are not open on this server',
    says: `There is no account for ${email} here. The operator of this server can tell you how to get one.`,
    next: 'none',
  },
  taken: {
    status: 409,
    title: 'Another account is linked already',
    says: `What you signed in with at ${provider} opens another account here. Choose another one there, or sign in to that account.`,
    next: 'settings',
  },
  'other-linked': {
    status: 409,
    title: 'Your account is linked already',
    says: `It opens with another person’s sign-in at ${provider}. An account has one.`,
    next: 'settings',
  },
  'look-at-mail': {
    status: 200,
    title: 'Check your mail',
    says: `We sent a link to ${email}. Open it to confirm the address, then sign in again.`,
    next: 'none',
  },
})

export const SETTINGS = '/profile?settings=sign-in'

export function failurePage(failure: Failure, about: About): { status: number; html: string } {
  let text = textsOf(about)[failure]
  // For a user who is signed in, another try begins in the settings.
  if (about.isLink && text.next === 'again') {
    text = { ...text, title: 'Nothing was linked', next: 'settings' }
  }
  const lines = [`<p>${escapeHtml(text.says)}</p>`, ...waysOn(text.next, about)]
  return { status: text.status, html: plainPage(text.title, lines.join('\n')) }
}

function waysOn(next: Text['next'], { returnTo, passwordLogin }: About): string[] {
  // With an error in its URL the sign-in page is shown even if it usually leads on.
  const signIn = (then: string) => `/api/login?error=provider&${query(then)}`
  switch (next) {
    case 'again': {
      const again = button(`/api/auth/provider?${query(returnTo)}`, 'Try again')
      return passwordLogin ? [again, link(signIn(returnTo), 'Other ways to sign in')] : [again]
    }
    case 'sign-in':
      return [button(signIn(SETTINGS), 'Sign in')]
    case 'settings':
      return [button(SETTINGS, 'Back to the settings')]
    case 'none':
      return [link('/', 'Back to the start')]
  }
}

const query = (returnTo: string) => `returnTo=${encodeURIComponent(returnTo)}`
const button = (href: string, label: string) =>
  `<p><a class="go" href="${escapeHtml(href)}">${label}</a></p>`
const link = (href: string, label: string) => `<p><a href="${escapeHtml(href)}">${label}</a></p>`
