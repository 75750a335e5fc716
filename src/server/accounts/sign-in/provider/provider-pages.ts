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
  title: 'Please log in to your account first',
  says,
  next: 'sign-in',
})

/** The text of each page, before it is escaped. */
const textsOf = ({
  provider,
  email: named,
  email = 'your address',
}: About): Record<Failure, Text> => ({
  down: again(
    503,
    `${provider} isn’t answering right now`,
    'You can log in as soon as it’s back. Please try again in a moment. Your QR codes keep working.',
  ),
  trouble: again(
    503,
    'Please try again in a moment',
    'We couldn’t log you in just now. Nothing is wrong with your account.',
  ),
  denied: again(403, 'You’re not logged in', `The login was canceled at ${provider}.`),
  over: again(
    400,
    'This login has expired',
    'It took too long, was already used, or was started in another window. Please start again.',
  ),
  refused: again(
    400,
    'We couldn’t log you in',
    `We couldn’t trust the answer from ${provider}. Please try again. If it keeps happening, contact support.`,
  ),
  'no-email': again(
    403,
    named ? `${provider} hasn’t confirmed your address` : `${provider} didn’t tell us your address`,
    `A new account needs a confirmed email address. ${named ? 'Confirm yours' : 'Add one or share it'} at ${provider} and try again. If you have an account here, log in to it first and link ${provider} in its settings.`,
  ),
  'sign-in-first': signInFirst(
    `There’s an account for ${email}, and its address isn’t confirmed yet. Log in to that account the way you did before. Then link ${provider} in its settings, or confirm the address by email.`,
  ),
  'second-step': signInFirst(
    `The account for ${email} also asks for a code. Log in to it the way you did before. Then link ${provider} in its settings.`,
  ),
  'linked-to-another': signInFirst(
    `The account for ${email} is linked to another login at ${provider}. Log in to it the way you did before. To use this login instead, unlink the other one in its settings and link this one.`,
  ),
  closed: {
    status: 403,
    title: 'Sign-up is closed',
    says: `There’s no account for ${email} here. Contact support to get one.`,
    next: 'none',
  },
  taken: {
    status: 409,
    title: 'Another account is already linked',
    says: `Your login at ${provider} opens another account here. Choose another login there, or log in to that account.`,
    next: 'settings',
  },
  'other-linked': {
    status: 409,
    title: 'Your account is already linked',
    says: `It’s linked to another login at ${provider}. An account can have one.`,
    next: 'settings',
  },
  'look-at-mail': {
    status: 200,
    title: 'Check your email',
    says: `We sent a link to ${email}. Open it to confirm the address, then log in again.`,
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
      return passwordLogin ? [again, link(signIn(returnTo), 'Other ways to log in')] : [again]
    }
    case 'sign-in':
      return [button(signIn(SETTINGS), 'Log in')]
    case 'settings':
      return [button(SETTINGS, 'Back to settings')]
    case 'none':
      return [link('/', 'Back to home')]
  }
}

const query = (returnTo: string) => `returnTo=${encodeURIComponent(returnTo)}`
const button = (href: string, label: string) =>
  `<p><a class="go" href="${escapeHtml(href)}">${label}</a></p>`
const link = (href: string, label: string) => `<p><a href="${escapeHtml(href)}">${label}</a></p>`
