import type { Origin } from '../audit.ts'
import { type Letter, unlinked } from '../mail/mail-template.ts'

/*
 * What our mails about accounts say.
 */

/** From where and when something happened, and the address of this server. */
export type Happening = { origin: Origin; now: Date; publicUrl: string }

/** When and from where, so that the owner can tell whether it was them. */
export function factsOf({ origin, now }: Pick<Happening, 'origin' | 'now'>): [string, string][] {
  const when = new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return [
    ['When', `${when.format(now)} UTC`],
    ['Device', unlinked(origin.device ?? 'Unknown device')],
    ['IP address', origin.address ?? 'Unknown'],
  ]
}

/**
 * A name that a user typed, for after its noun. It is left out if the address is not proved: the mail
 * may go to a stranger.
 */
export const quoted = (name: string, { emailVerified }: { emailVerified: boolean }) =>
  emailVerified ? ` “${unlinked(name)}”` : ''

/** A page of the account, for readers who are signed in and for those who sign in first. */
export const pageUrl = (publicUrl: string, path: string) =>
  `${publicUrl}/api/login?returnTo=${encodeURIComponent(path)}`

export function newDeviceLetter({ origin, now, publicUrl }: Happening): Letter {
  return {
    subject: 'New sign-in to your Tessera account',
    paragraphs: ['Somebody signed in to your account from a browser that we have not seen before.'],
    facts: factsOf({ origin, now }),
    button: { label: 'Check my sessions', url: `${publicUrl}/profile?settings=sessions` },
    notes: [
      'If this was you, there is nothing to do. If not, end that session and change your password.',
    ],
  }
}

export function providerLinkedLetter({
  provider,
  passwordLogin,
  ...happening
}: Happening & { provider: string; passwordLogin: boolean }): Letter {
  return {
    subject: `${provider} now opens your Tessera account`,
    paragraphs: [`From now on you can sign in to your account with ${provider}.`],
    facts: factsOf(happening),
    button: {
      label: 'Check my settings',
      url: `${happening.publicUrl}/profile?settings=sign-in`,
    },
    notes: [
      passwordLogin
        ? 'If this was not you, unlink it there, then change your password and sign out everywhere.'
        : 'If this was not you, tell the operator of this server at once.',
    ],
  }
}

export function providerUnlinkedLetter({
  provider,
  ...happening
}: Happening & { provider: string }): Letter {
  return {
    subject: `${provider} no longer opens your Tessera account`,
    paragraphs: [
      `Somebody unlinked ${provider} from your account. Other browsers that had signed in with it were signed out.`,
    ],
    facts: factsOf(happening),
    button: {
      label: 'Check my settings',
      url: `${happening.publicUrl}/profile?settings=sign-in`,
    },
    notes: [
      'If this was you, there is nothing to do. If not, change your password and sign out everywhere. You can link it again in your settings.',
    ],
  }
}

export function exportedLetter({ origin, now, publicUrl }: Happening): Letter {
  return {
    subject: 'Your links and data were downloaded',
    paragraphs: [
      'Somebody who is signed in to your account downloaded all your links, codes and data. Nothing has changed.',
    ],
    facts: factsOf({ origin, now }),
    button: { label: 'Check my sessions', url: `${publicUrl}/profile?settings=sessions` },
    notes: [
      'If this was you, there is nothing to do. If not, end that session and change your password.',
    ],
  }
}

export function proofLetter(url: string): Letter {
  return {
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'Please confirm that this address is yours. Then you can get back into your account if you ever forget your password.',
    ],
    button: { label: 'Confirm my address', url },
    notes: [
      'The link works once, for seven days. If you have not made a Tessera account, ignore this mail: somebody mistyped an address.',
    ],
  }
}

export function passwordChangedLetter(
  { origin, now, publicUrl }: Happening,
  { isFirst }: { isFirst: boolean },
): Letter {
  return {
    subject: isFirst ? 'Your account has a password now' : 'Your password was changed',
    paragraphs: [
      `${isFirst ? 'A password was set for your account' : 'The password of your account was changed'}. All other browsers were signed out.`,
    ],
    facts: factsOf({ origin, now }),
    button: { label: 'Look at my account', url: `${publicUrl}/profile?settings=sign-in` },
    notes: [
      'If this was you, there is nothing to do. If not, choose “Forgot your password?” on the sign-in page at once.',
    ],
  }
}
