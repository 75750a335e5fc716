import type { LinkKind } from '#contract/accounts.ts'
import type { LinkCall } from './sign-in-calls.ts'

type Before = { title: string; text: string; button: string }

/** The texts of each link before a button is pressed. */
export const before: Record<Exclude<LinkKind, 'reset-password'>, Before> = {
  'sign-in': {
    title: 'Sign in with your link',
    text: 'This opens your account in this browser.',
    button: 'Sign in',
  },
  'verify-email': {
    title: 'Confirm your address',
    text: 'Confirm that you made a Tessera account with this address. If you did not, close this page.',
    button: 'Confirm my address',
  },
  'approve-email': {
    title: 'Change your address?',
    text: 'Somebody asked to change the address of your account. If it was not you, cancel the change here, then change your password.',
    button: 'Approve the change',
  },
  'prove-email': {
    title: 'Confirm your new address',
    text: 'Your account gets this address. If you did not ask for that, close this page.',
    button: 'Confirm my new address',
  },
}

const AFTER_BOTH =
  'Your account gets the new address once the links in both mails are confirmed. If they are, sign in with it from now on.'

/** The texts after a button was pressed. */
export const after: Record<LinkCall, { title: string; text: string }> = {
  'verify-email': {
    title: 'Your address is confirmed',
    text: 'If you ever forget your password, a mail to this address lets you in again.',
  },
  'approve-email': { title: 'You approved the change', text: AFTER_BOTH },
  'prove-email': { title: 'Your new address is confirmed', text: AFTER_BOTH },
  'undo-email': {
    title: 'The change is cancelled',
    text: 'Your account keeps its address. If you did not ask for another one, change your password now: somebody else may have been in your account.',
  },
}
