import type { LinkKind } from '#contract/accounts.ts'
import type { LinkCall } from './sign-in-calls.ts'

type Before = { title: string; text: string; button: string }

/** The texts of each link before a button is pressed. */
export const before: Record<Exclude<LinkKind, 'reset-password'>, Before> = {
  'sign-in': {
    title: 'Log in with your link',
    text: 'This opens your account in this browser.',
    button: 'Log in',
  },
  'verify-email': {
    title: 'Confirm your address',
    text: 'Confirm that you created a Tessera account with this address. If you didn’t, close this page.',
    button: 'Confirm address',
  },
  'approve-email': {
    title: 'Change your address?',
    text: 'Someone asked to change the address of your account. If it wasn’t you, cancel the change here, then change your password.',
    button: 'Approve change',
  },
  'prove-email': {
    title: 'Confirm your new address',
    text: 'Your account will use this address. If you didn’t ask for that, close this page.',
    button: 'Confirm new address',
  },
}

const AFTER_BOTH =
  'Your account gets the new address once both emailed links are confirmed. From then on, log in with it.'

/** The texts after a button was pressed. */
export const after: Record<LinkCall, { title: string; text: string }> = {
  'verify-email': {
    title: 'Your address is confirmed',
    text: 'If you ever forget your password, an email to this address gets you back in.',
  },
  'approve-email': { title: 'You approved the change', text: AFTER_BOTH },
  'prove-email': { title: 'Your new address is confirmed', text: AFTER_BOTH },
  'undo-email': {
    title: 'The change is canceled',
    text: 'Your account keeps its address. If you didn’t ask for another one, change your password now: someone else may have been in your account.',
  },
}
