import type { Origin } from '../audit.ts'
import { type Letter, unlinked } from '../mail/mail-template.ts'

/*
 * The mails about accounts and their security.
 */

/** The origin and time of an action, and the address of this server */
export type EventContext = { origin: Origin; now: Date; publicUrl: string }

type Named = { name: string; account: { emailVerified: boolean } }

/** A page of the account, for readers who are signed in and for those who sign in first. */
export const pageUrl = (publicUrl: string, path: string) =>
  `${publicUrl}/api/login?returnTo=${encodeURIComponent(path)}`

/** A name that a user typed, in quotes. Empty if the address is not proved: the mail may reach a stranger. */
const quoted = ({ name, account }: Named) => (account.emailVerified ? ` “${unlinked(name)}”` : '')

const moment = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

/** Adds when and from where, so that the owners can tell whether it was them. */
const withFacts = ({ origin, now }: EventContext, letter: Letter): Letter => ({
  ...letter,
  facts: [
    ['When', `${moment.format(now)} UTC`],
    ['Device', unlinked(origin.device ?? 'Unknown device')],
    ['IP address', origin.address ?? 'Unknown'],
  ],
})

const settings = (publicUrl: string, label: string, section: string) => ({
  label,
  url: `${publicUrl}/profile?settings=${section}`,
})
const signInButton = (publicUrl: string) => ({ label: 'Sign in', url: `${publicUrl}/api/login` })

const IF_NOT = 'If this was you, there is nothing to do. If not,'
const END_SESSION = `${IF_NOT} end that session and change your password.`
const FORGOT = 'choose “Forgot your password?” on the sign-in page'
const NOT_ASKED = 'If you did not ask for this, ignore this mail: nothing changes.'
const HOPEFULLY_YOU = 'Somebody, hopefully you,'

// Sign-ins

export const newDeviceLetter = (context: EventContext) =>
  withFacts(context, {
    subject: 'New sign-in to your Tessera account',
    paragraphs: ['Somebody signed in to your account from a browser that we have not seen before.'],
    button: settings(context.publicUrl, 'Check my sessions', 'sessions'),
    notes: [END_SESSION],
  })

export const providerLinkedLetter = (
  context: EventContext,
  { provider, passwordLogin }: { provider: string; passwordLogin: boolean },
) =>
  withFacts(context, {
    subject: `${provider} now opens your Tessera account`,
    paragraphs: [`From now on you can sign in to your account with ${provider}.`],
    button: settings(context.publicUrl, 'Check my settings', 'sign-in'),
    notes: [
      passwordLogin
        ? 'If this was not you, unlink it there, then change your password and sign out everywhere.'
        : 'If this was not you, tell the operator of this server at once.',
    ],
  })

export const providerUnlinkedLetter = (context: EventContext, provider: string) =>
  withFacts(context, {
    subject: `${provider} no longer opens your Tessera account`,
    paragraphs: [
      `Somebody unlinked ${provider} from your account. Other browsers that had signed in with it were signed out.`,
    ],
    button: settings(context.publicUrl, 'Check my settings', 'sign-in'),
    notes: [
      `${IF_NOT} change your password and sign out everywhere. You can link it again in your settings.`,
    ],
  })

export const exportedLetter = (context: EventContext) =>
  withFacts(context, {
    subject: 'Your links and data were downloaded',
    paragraphs: [
      'Somebody who is signed in to your account downloaded all your links, codes and data. Nothing has changed.',
    ],
    button: settings(context.publicUrl, 'Check my sessions', 'sessions'),
    notes: [END_SESSION],
  })

/** A program with a key needs no password. */
export const keyMadeLetter = (context: EventContext, key: Named & { scope: string }) =>
  withFacts(context, {
    subject: 'An API key was made',
    paragraphs: [
      key.scope === 'write'
        ? `Programs that have the API key${quoted(key)} can see, make, change and delete the QR codes of your account.`
        : `Programs that have the API key${quoted(key)} can see the QR codes of your account and their scans.`,
    ],
    button: settings(context.publicUrl, 'See my API keys', 'keys'),
    notes: [
      `If this was not you, sign in, revoke the key and change your password now. If you cannot sign in any more, ${FORGOT}.`,
    ],
  })

// Passwords and links

export const resetLetter = (url: string): Letter => ({
  subject: 'Choose a new password',
  paragraphs: [`${HOPEFULLY_YOU} asked for a new password for your Tessera account.`],
  button: { label: 'Choose a new password', url },
  notes: [
    `The link works once, for an hour. ${NOT_ASKED}`,
    'With a new password you are signed out everywhere. Your QR codes keep working.',
  ],
})

export const passwordResetLetter = (context: EventContext) =>
  withFacts(context, {
    subject: 'Your password was changed',
    paragraphs: [
      'Somebody chose a new password for your account, by a link that we mailed to this address. All browsers were signed out.',
    ],
    button: signInButton(context.publicUrl),
    notes: [
      'If this was not you, somebody else can read your mails: change the password of your mailbox first, then ask for a new one here.',
    ],
  })

export const passwordChangedLetter = (context: EventContext, { isFirst }: { isFirst: boolean }) =>
  withFacts(context, {
    subject: isFirst ? 'Your account has a password now' : 'Your password was changed',
    paragraphs: [
      `${isFirst ? 'A password was set for your account' : 'The password of your account was changed'}. All other browsers were signed out.`,
    ],
    button: settings(context.publicUrl, 'Look at my account', 'sign-in'),
    notes: [`${IF_NOT} ${FORGOT} at once.`],
  })

export const signInLinkLetter = (url: string): Letter => ({
  subject: 'Your link to sign in',
  paragraphs: ['With this link you sign in to Tessera without a password.'],
  button: { label: 'Sign in', url },
  notes: [`The link works once, for 15 minutes. ${NOT_ASKED}`],
})

export const firstLinkLetter = (url: string): Letter => ({
  ...signInLinkLetter(url),
  paragraphs: [
    'There is no Tessera account with this address yet. With this link you make one and sign in. It needs no password.',
  ],
  button: { label: 'Make an account and sign in', url },
})

// The account's address

export const proofLetter = (url: string): Letter => ({
  subject: 'Confirm your e-mail address',
  paragraphs: [
    'Please confirm that this address is yours. Then you can get back into your account if you ever forget your password.',
  ],
  button: { label: 'Confirm my address', url },
  notes: [
    'The link works once, for seven days. If you have not made a Tessera account, ignore this mail: somebody mistyped an address.',
  ],
})

export const alreadyHereLetter = (publicUrl: string): Letter => ({
  subject: 'You already have an account',
  paragraphs: [
    `${HOPEFULLY_YOU} tried to make a Tessera account with this address. It has one already, so there is nothing to do: sign in.`,
  ],
  button: signInButton(publicUrl),
  notes: [`If you have forgotten your password, choose a new one there. ${NOT_ASKED}`],
})

export const firstProofLetter = (publicUrl: string): Letter => ({
  subject: 'Your address is confirmed',
  paragraphs: [
    'You have shown that this address is yours. Nobody had done that before, so what was set up earlier has ended, in case somebody else did it: the earlier password, passkeys and other sign-ins, API keys, webhooks, share links, mailed reports and a planned deletion of the account.',
  ],
  button: settings(publicUrl, 'Check my settings', 'sign-in'),
  notes: [
    'If any of it was yours, set it up again in your settings. You can also go on without a password, by a link that we mail to you each time.',
  ],
})

/** To the account's address. It can cancel in any case, and must approve if it is proved. */
export const approveLetter = (
  url: string,
  { to, isConsentNeeded }: { to: string; isConsentNeeded: boolean },
): Letter => ({
  subject: 'Change the e-mail address of your account?',
  paragraphs: [
    `${HOPEFULLY_YOU} wants to change the e-mail address of your Tessera account to ${to}. ${
      isConsentNeeded
        ? 'Nothing changes before you approve.'
        : 'It changes once that address is confirmed, because this one never was.'
    }`,
  ],
  button: { label: 'Approve or cancel', url },
  notes: [
    'The link works once, for a day. If this was not you, cancel there and change your password.',
  ],
})

/** To the new address. */
export const proveLetter = (url: string, email: string): Letter => ({
  subject: 'Confirm your new address',
  paragraphs: [`The Tessera account of ${email} gets this address once you confirm it.`],
  button: { label: 'Confirm this address', url },
  notes: [
    'The link works once, for a day. Open it where you are signed in to that account, or have its password at hand.',
    'If that account is not yours, ignore this mail: its owner mistyped an address.',
  ],
})

/** To a new address that another account has: only its owner may learn that. */
export const addressTakenLetter = (publicUrl: string): Letter => ({
  subject: 'This address has an account',
  paragraphs: [
    `${HOPEFULLY_YOU} wants to use this address for another Tessera account. It has an account already, so nothing changes. To use it there, delete the account that has it, or give that one another address.`,
  ],
  button: signInButton(publicUrl),
  notes: [NOT_ASKED],
})

/** To the address that the account had. */
export const addressChangedLetter = (context: EventContext, newEmail: string) =>
  withFacts(context, {
    subject: 'Your account has a new address',
    paragraphs: [
      `Your Tessera account now has the address ${newEmail}. Sign in with it from now on.`,
    ],
    notes: ['If this was not you, write to the operator of this server at once.'],
  })

// Second steps and passkeys

const factorLetter = (
  context: EventContext,
  subject: string,
  paragraphs: string[],
  note = `If this was not you, sign in, change your password and look at your settings now. If you cannot sign in any more, ${FORGOT}.`,
) =>
  withFacts(context, {
    subject,
    paragraphs,
    button: settings(context.publicUrl, 'Look at my account', 'sign-in'),
    notes: [note],
  })

export const secondFactorOnLetter = (context: EventContext) =>
  factorLetter(
    context,
    'Your second step is on',
    [
      'From now on, signing in with your password or a mailed link also takes a code from your authenticator app.',
      'Every other browser was signed out, so that all of them ask for a code. Keep your recovery codes where you find them without your phone.',
    ],
    // The owner has no code then, and a new password alone does not open the account.
    `If this was not you, somebody knows your password: ${FORGOT}, and ask the operator of this server to turn the second step off.`,
  )

export const secondFactorOffLetter = (context: EventContext) =>
  factorLetter(context, 'Your second step is off', [
    'Signing in no longer asks for a code from your authenticator app. Your recovery codes no longer work.',
    'Every other browser was signed out, to be safe.',
  ])

/** The reader is signed out, so the button leads to the sign-in. */
export const operatorTurnedOffLetter = (publicUrl: string): Letter => ({
  subject: 'Second step is off',
  paragraphs: [
    'The operator of this server turned off the second step of your account. Signing in no longer asks for a code from your authenticator app, and your recovery codes no longer work.',
    'Every browser was signed out, to be safe.',
  ],
  button: { label: 'Sign in', url: pageUrl(publicUrl, '/profile?settings=sign-in') },
  notes: [
    'If you asked for this, sign in and set the second step up again. If not, tell the operator of this server at once, and change your password.',
  ],
})

export const recoveryCodesLetter = (context: EventContext) =>
  factorLetter(context, 'New recovery codes', [
    'Ten new recovery codes were made for your account. The earlier ones no longer work.',
  ])

export const recoveryCodeUsedLetter = (context: EventContext, left: number) => {
  const how = left === 0 ? 'It was the last one.' : 'One code is left.'
  return factorLetter(context, 'A recovery code was used', [
    'Somebody signed in to your account with one of your recovery codes.',
    left > 1
      ? `${left} codes are left.`
      : `${how} Make new ones in your settings, under “Sign-in”.`,
  ])
}

export const wrongCodesLetter = (context: EventContext) =>
  factorLetter(
    context,
    'Somebody is trying to get past your second step',
    [
      'Somebody entered your password, or opened a link from one of your mails, and then gave wrong codes again and again. They did not get in. For a day we take no more codes from browsers that you have not used before.',
    ],
    'If this was you, check that the clock of your phone is right, or use a recovery code. If not, change your password: somebody knows it.',
  )

export const passkeyAddedLetter = (context: EventContext, passkey: Named) =>
  factorLetter(context, 'A passkey was added', [
    `The passkey${quoted(passkey)} can sign in to your account from now on, without your password.`,
  ])

export const passkeyCopiedLetter = (context: EventContext, passkey: Named) =>
  factorLetter(context, 'A passkey may have been copied', [
    `Somebody used the passkey${quoted(passkey)} of your account, and it had counted fewer sign-ins than we know of. That is so if it is a copy. We refused it, and nobody got in.`,
    'To be safe, remove this passkey in your settings and add a new one.',
  ])

export const passkeyRemovedLetter = (context: EventContext, passkey: Named) =>
  factorLetter(context, 'A passkey was removed', [
    `The passkey${quoted(passkey)} can no longer sign in to your account.`,
    'Your device may still offer it. You can delete it there too.',
  ])

// The end of an account

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

export const deletionAskedLetter = (context: EventContext, dueAt: number) =>
  withFacts(context, {
    subject: `Your Tessera account will be deleted on ${day.format(dueAt)}`,
    paragraphs: [
      `You asked us to delete your account. Until ${day.format(dueAt)} all your QR codes keep working, and you can change your mind.`,
      'After that day your account, your codes and their scans are gone for good. What is printed then leads to a page that says so, and never to somebody else’s link.',
      'A paid plan does not renew any more.',
    ],
    button: settings(context.publicUrl, 'Keep my account', 'leave'),
    notes: [
      'If you did not ask for this, sign in, keep your account and change your password at once.',
    ],
  })

export const deletionSoonLetter = (publicUrl: string, dueAt: number): Letter => ({
  subject: `Your Tessera account will be deleted on ${day.format(dueAt)}`,
  paragraphs: [
    `As you asked, your account, your codes and their scans will be gone for good after ${day.format(dueAt)}. Printed codes stop working then.`,
    'Sign in until that day to keep your account, or to take your links with you.',
  ],
  button: settings(publicUrl, 'Keep my account', 'leave'),
})

export const accountKeptLetter = (context: EventContext) =>
  withFacts(context, {
    subject: 'Your Tessera account stays',
    paragraphs: [
      'Your account is no longer going to be deleted. All your codes are as they were.',
      'If you have a paid plan, it still ends with the period that you paid for. You can let it renew again in your profile.',
    ],
    button: { label: 'Open my profile', url: pageUrl(context.publicUrl, '/profile') },
    notes: ['If this was not you, change your password.'],
  })
