import type { Letter } from '../../mail/mail-template.ts'
import { factsOf, type Happening } from '../letters.ts'

/*
 * What our mails say about getting back in, and about a new e-mail address.
 */

const NOT_YOU = 'If you did not ask for this, ignore this mail: nothing changes.'

export function resetLetter(url: string): Letter {
  return {
    subject: 'Choose a new password',
    paragraphs: ['Somebody, hopefully you, asked for a new password for your Tessera account.'],
    button: { label: 'Choose a new password', url },
    notes: [
      `The link works once, for an hour. ${NOT_YOU}`,
      'With a new password you are signed out everywhere. Your QR codes keep working.',
    ],
  }
}

export function passwordResetLetter({ origin, now, publicUrl }: Happening): Letter {
  return {
    subject: 'Your password was changed',
    paragraphs: [
      'Somebody chose a new password for your account, by a link that we mailed to this address. All browsers were signed out.',
    ],
    facts: factsOf({ origin, now }),
    button: { label: 'Sign in', url: `${publicUrl}/api/login` },
    notes: [
      'If this was not you, somebody else can read your mails: change the password of your mailbox first, then ask for a new one here.',
    ],
  }
}

export function signInLinkLetter(url: string): Letter {
  return {
    subject: 'Your link to sign in',
    paragraphs: ['With this link you sign in to Tessera without a password.'],
    button: { label: 'Sign in', url },
    notes: [`The link works once, for 15 minutes. ${NOT_YOU}`],
  }
}

export function firstLinkLetter(url: string): Letter {
  return {
    subject: 'Your link to sign in',
    paragraphs: [
      'There is no Tessera account with this address yet. With this link you make one and sign in. It needs no password.',
    ],
    button: { label: 'Make an account and sign in', url },
    notes: [`The link works once, for 15 minutes. ${NOT_YOU}`],
  }
}

export function alreadyHereLetter(publicUrl: string): Letter {
  return {
    subject: 'You already have an account',
    paragraphs: [
      'Somebody, hopefully you, tried to make a Tessera account with this address. It has one already, so there is nothing to do: sign in.',
    ],
    button: { label: 'Sign in', url: `${publicUrl}/api/login` },
    notes: [`If you have forgotten your password, choose a new one there. ${NOT_YOU}`],
  }
}

export function firstProofLetter(publicUrl: string): Letter {
  return {
    subject: 'Your address is confirmed',
    paragraphs: [
      'You have shown that this address is yours. Nobody had done that before, so what was set up earlier has ended, in case somebody else did it: the earlier password, passkeys and other sign-ins, API keys, webhooks, share links, mailed reports and a planned deletion of the account.',
    ],
    button: { label: 'Check my settings', url: `${publicUrl}/profile?settings=sign-in` },
    notes: [
      'If any of it was yours, set it up again in your settings. You can also go on without a password, by a link that we mail to you each time.',
    ],
  }
}

/** To the account's address. Its consent is needed where it is proved, and it can cancel in any case. */
export function approveLetter(
  url: string,
  change: { to: string; isConsentNeeded: boolean },
): Letter {
  const when = change.isConsentNeeded
    ? 'Nothing changes before you approve.'
    : 'It changes once that address is confirmed, because this one never was.'
  return {
    subject: 'Change the e-mail address of your account?',
    paragraphs: [
      `Somebody, hopefully you, wants to change the e-mail address of your Tessera account to ${change.to}. ${when}`,
    ],
    button: { label: 'Approve or cancel', url },
    notes: [
      'The link works once, for a day. If this was not you, cancel there and change your password.',
    ],
  }
}

/** To the new address. */
export function proveLetter(url: string, email: string): Letter {
  return {
    subject: 'Confirm your new address',
    paragraphs: [`The Tessera account of ${email} gets this address once you confirm it.`],
    button: { label: 'Confirm this address', url },
    notes: [
      'The link works once, for a day. Open it where you are signed in to that account, or have its password at hand.',
      'If that account is not yours, ignore this mail: its owner mistyped an address.',
    ],
  }
}

/** To a new address that is another account's, which only its owner learns. */
export function addressTakenLetter(publicUrl: string): Letter {
  return {
    subject: 'This address has an account',
    paragraphs: [
      'Somebody, hopefully you, wants to use this address for another Tessera account. It has an account already, so nothing changes. To use it there, delete the account that has it, or give that one another address.',
    ],
    button: { label: 'Sign in', url: `${publicUrl}/api/login` },
    notes: [NOT_YOU],
  }
}

/** To the address that the account had. */
export function addressChangedLetter({ origin, now }: Happening, newEmail: string): Letter {
  return {
    subject: 'Your account has a new address',
    paragraphs: [
      `Your Tessera account now has the address ${newEmail}. Sign in with it from now on.`,
    ],
    facts: factsOf({ origin, now }),
    notes: ['If this was not you, write to the operator of this server at once.'],
  }
}
