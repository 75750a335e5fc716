import { escapeHtml, plainPage } from '../../../http/plain-page.ts'
import type { LinkRefusal } from './linking.ts'
import type { FaultReason } from './provider-fault.ts'

/** Why somebody who came back from the provider sees a page of ours instead of being signed in. */
export type Failure = FaultReason | LinkRefusal | 'look-at-mail' | 'trouble'

export type FailurePage = { status: number; html: string }

type About = {
  /** What the operator calls the provider */
  provider: string
  /** The address that the provider names */
  email?: string | undefined
  returnTo: string
  /** Whether somebody who is signed in was linking the provider */
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

/** What each page says, in plain text. */
function textOf(failure: Failure, { provider, email = 'your address' }: About): Text {
  switch (failure) {
    case 'down':
      return {
        ...{ status: 503, next: 'again', title: `${provider} does not answer right now` },
        says: 'You can sign in as soon as it is back. Please try again in a moment. Your QR codes keep working.',
      }
    case 'trouble':
      return {
        ...{ status: 503, next: 'again', title: 'Please try again in a moment' },
        says: 'We could not sign you in just now. Nothing is wrong with your account.',
      }
    case 'denied':
      return {
        ...{ status: 403, next: 'again', title: 'You are not signed in' },
        says: `The sign-in was cancelled at ${provider}.`,
      }
    case 'over':
      return {
        ...{ status: 400, next: 'again', title: 'This sign-in has expired' },
        says: 'It took too long, was used already, or was begun in another window. Please start again.',
      }
    case 'refused':
      return {
        ...{ status: 400, next: 'again', title: 'We could not sign you in' },
        says: `The answer from ${provider} could not be trusted. Please try again. If it stays like this, tell the operator of this server.`,
      }
    case 'sign-in-first':
      return {
        ...{ status: 409, next: 'sign-in', title: 'Please sign in to your account first' },
        says: `There is an account for ${email}, and this address is not confirmed yet. Sign in to that account the way you did before. Then link ${provider} in its settings, or confirm the address by mail.`,
      }
    case 'second-step':
      return {
        ...{ status: 409, next: 'sign-in', title: 'Please sign in to your account first' },
        says: `The account for ${email} also asks for a code. Sign in to it the way you did before. Then link ${provider} in its settings.`,
      }
    case 'no-email':
      return {
        ...{ status: 403, next: 'again', title: `${provider} has not confirmed your address` },
        says: `A new account needs a confirmed e-mail address. Confirm yours at ${provider} and try again. If you have an account here, sign in to it first and link ${provider} in its settings.`,
      }
    case 'closed':
      return {
        ...{ status: 403, next: 'none', title: 'New accounts are not open on this server' },
        says: `There is no account for ${email} here. The operator of this server can tell you how to get one.`,
      }
    case 'taken':
      return {
        ...{ status: 409, next: 'settings', title: 'Another account is linked already' },
        says: `What you signed in with at ${provider} opens another account here. Choose another one there, or sign in to that account.`,
      }
    case 'other-linked':
      return {
        ...{ status: 409, next: 'settings', title: 'Your account is linked already' },
        says: `It opens with another person’s sign-in at ${provider}. An account has one.`,
      }
    case 'linked-to-another':
      return {
        status: 409,
        next: 'sign-in',
        title: 'Please sign in to your account first',
        says: `The account for ${email} opens with another person’s sign-in at ${provider}. Sign in to it the way you did before. To use this sign-in instead, unlink the other one in its settings and link this one.`,
      }
    case 'look-at-mail':
      return {
        ...{ status: 200, next: 'none', title: 'Check your mail' },
        says: `We sent a link to ${email}. Open it to confirm the address, then sign in again.`,
      }
  }
}

export const SETTINGS = '/profile?settings=sign-in'

export function failurePage(failure: Failure, about: About): FailurePage {
  const text = about.isLink ? forLink(textOf(failure, about)) : textOf(failure, about)
  const lines = [`<p>${escapeHtml(text.says)}</p>`, ...waysOn(text.next, about)]
  return { status: text.status, html: plainPage(text.title, lines.join('\n')) }
}

/** The same for somebody who is signed in: another try begins in the settings. */
function forLink(text: Text): Text {
  if (text.next !== 'again') return text
  return { ...text, title: 'Nothing was linked', next: 'settings' }
}

function waysOn(next: Text['next'], { returnTo, passwordLogin }: About): string[] {
  // With an error in its address the sign-in page shows itself also where it usually leads on.
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
