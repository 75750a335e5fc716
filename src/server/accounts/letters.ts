import type { Origin } from '../actor.ts'
import type { WorkspaceId } from '../database/ids.ts'
import { formatDay, formatMoment, type Reader } from '../formats.ts'
import type { LetterContext } from '../mail/mail-room.ts'
import { type Letter, settingsButton, unlinked } from '../mail/mail-template.ts'
import { openedIn } from '../memberships.ts'

/*
 * The mails about accounts and their security.
 */

/** The reader of a mail about an event, and the address of this server */
type EventContext = Reader & LetterContext

/** A letter about an event, to which `withFacts` adds when and from where. */
export type EventLetter = (context: EventContext) => Letter

/** A page of the account, for readers who are signed in and for those who sign in first. */
export const pageUrl = (publicUrl: string, path: string) =>
  `${publicUrl}/api/login?returnTo=${encodeURIComponent(path)}`

/** A name that a user typed, in quotes. Empty if the address is not proved: the mail may reach a stranger. */
const quoted = (name: string, { emailVerified }: EventContext) =>
  emailVerified ? ` “${unlinked(name)}”` : ''

/** Adds when and from where, so that the owners can tell whether it was them. */
export const withFacts = (
  letter: Letter,
  { origin, now, locale }: Reader & { origin: Origin; now: Date },
): Letter => ({
  ...letter,
  facts: [
    ['When', `${formatMoment(now, { locale })} UTC`],
    ['Device', unlinked(origin.device ?? 'Unknown device')],
    ['IP address', origin.address ?? 'Unknown'],
  ],
})

const signInButton = (publicUrl: string) => ({ label: 'Log in', url: `${publicUrl}/api/login` })

const IF_NOT = 'If this was you, you don’t need to do anything. If it wasn’t,'
const END_SESSION = `${IF_NOT} end that session and change your password.`
const FORGOT = 'choose “Forgot your password?” on the login page'
const NOT_ASKED = 'If you didn’t ask for this, ignore this email. Nothing will change.'
const HOPEFULLY_YOU = 'Someone, hopefully you,'

// Sign-ins

export const newDeviceLetter: EventLetter = ({ publicUrl }) => ({
  subject: 'New login to your Tessera account',
  paragraphs: ['Someone logged in to your account from a browser we haven’t seen before.'],
  button: settingsButton({ publicUrl }, 'Check my sessions', 'sessions'),
  notes: [END_SESSION],
})

export const providerLinkedLetter = (
  { publicUrl }: EventContext,
  { provider, passwordLogin }: { provider: string; passwordLogin: boolean },
): Letter => ({
  subject: `${provider} now opens your Tessera account`,
  paragraphs: [`From now on, you can log in to your account with ${provider}.`],
  button: settingsButton({ publicUrl }, 'Check my settings', 'sign-in'),
  notes: [
    passwordLogin
      ? 'If this wasn’t you, unlink it there, then change your password and log out everywhere.'
      : 'If this wasn’t you, contact support right away.',
  ],
})

export const providerUnlinkedLetter = ({ publicUrl }: EventContext, provider: string): Letter => ({
  subject: `${provider} no longer opens your Tessera account`,
  paragraphs: [
    `Someone unlinked ${provider} from your account. Other browsers that used it were logged out.`,
  ],
  button: settingsButton({ publicUrl }, 'Check my settings', 'sign-in'),
  notes: [
    `${IF_NOT} change your password and log out everywhere. You can link it again in your settings.`,
  ],
})

export const exportedLetter: EventLetter = ({ publicUrl }) => ({
  subject: 'Your links and data were downloaded',
  paragraphs: [
    'Someone logged in to your account downloaded all your links, QR codes, and data. Nothing has changed.',
  ],
  button: settingsButton({ publicUrl }, 'Check my sessions', 'sessions'),
  notes: [END_SESSION],
})

type Program = { name: string; scope: string }

const rightsOf = ({ scope }: Program, things: string) =>
  scope === 'write'
    ? `see, create, change, and delete your ${things}`
    : 'see your QR codes and their scans'

/** A program with a key needs no password. */
export const keyMadeLetter = (context: EventContext, key: Program): Letter => ({
  subject: 'An API key was created',
  paragraphs: [
    `Programs with the API key${quoted(key.name, context)} can ${rightsOf(key, 'QR codes, domains, and webhooks')}.`,
  ],
  button: settingsButton(context, 'See my API keys', 'keys'),
  notes: [
    `If this wasn’t you, log in, revoke the key, and change your password now. If you can’t log in anymore, ${FORGOT}.`,
  ],
})

/** After a restore of a backup has paused the key. */
export const keyResumedLetter = (context: EventContext, key: Program) => ({
  ...keyMadeLetter(context, key),
  subject: 'An API key was turned on again',
})

/** An app needs no password either. */
export const appConnectedLetter = (context: EventContext, app: Program): Letter => ({
  subject: 'An app was connected to your account',
  paragraphs: [
    `The app${quoted(app.name, context)} can ${rightsOf(app, 'QR codes, tags, designs, and domains')}.`,
  ],
  button: settingsButton(context, 'See my connected apps', 'keys'),
  notes: [
    `If this wasn’t you, log in, disconnect the app, and change your password now. If you can’t log in anymore, ${FORGOT}.`,
  ],
})

// Passwords and links

export const resetLetter = (url: string): Letter => ({
  subject: 'Choose a new password',
  paragraphs: [`${HOPEFULLY_YOU} asked for a new password for your Tessera account.`],
  button: { label: 'Choose a new password', url },
  notes: [
    `The link works once, within an hour. ${NOT_ASKED}`,
    'A new password logs you out everywhere. Your QR codes keep working.',
  ],
})

export const passwordResetLetter: EventLetter = ({ publicUrl }) => ({
  subject: 'Your password was changed',
  paragraphs: [
    'Someone chose a new password for your account with a link we emailed to this address. All browsers were logged out.',
  ],
  button: signInButton(publicUrl),
  notes: [
    'If this wasn’t you, someone else can read your email. Change your email account’s password first, then choose a new one here.',
  ],
})

export const passwordChangedLetter = (
  { publicUrl }: EventContext,
  { isFirst }: { isFirst: boolean },
): Letter => ({
  subject: isFirst ? 'Your account has a password now' : 'Your password was changed',
  paragraphs: [
    `${isFirst ? 'A password was set for your account' : 'The password of your account was changed'}. All other browsers were logged out.`,
  ],
  button: settingsButton({ publicUrl }, 'Review my account', 'sign-in'),
  notes: [`${IF_NOT} ${FORGOT} right away.`],
})

export const signInLinkLetter = (url: string): Letter => ({
  subject: 'Your login link',
  paragraphs: ['Use this link to log in to Tessera without a password.'],
  button: { label: 'Log in', url },
  notes: [`The link works once, within 15 minutes. ${NOT_ASKED}`],
})

export const firstLinkLetter = (url: string): Letter => ({
  ...signInLinkLetter(url),
  paragraphs: [
    'There’s no Tessera account with this address yet. This link creates one and logs you in. You don’t need a password.',
  ],
  button: { label: 'Create an account and log in', url },
})

// The account's address

export const addressProofLetter = (url: string): Letter => ({
  subject: 'Confirm your email address',
  paragraphs: [
    'Please confirm that this address is yours. Then you can get back into your account if you ever forget your password.',
  ],
  button: { label: 'Confirm my address', url },
  notes: [
    'The link works once, within seven days. If you didn’t create a Tessera account, ignore this email. Someone mistyped an address.',
  ],
})

export const alreadyHereLetter = (publicUrl: string): Letter => ({
  subject: 'You already have an account',
  paragraphs: [
    `${HOPEFULLY_YOU} tried to create a Tessera account with this address. It already has one, so just log in.`,
  ],
  button: signInButton(publicUrl),
  notes: [`Forgot your password? Choose a new one there. ${NOT_ASKED}`],
})

/** @param domains the account's, which stay */
export const firstProofLetter = (publicUrl: string, domains: string[]): Letter => ({
  subject: 'Your address is confirmed',
  paragraphs: [
    'You confirmed that this address is yours. Until now, anyone could have set things up in this account, so we turned them off to be safe: the earlier password, passkeys and other logins, API keys, connected apps, webhooks, share links, emailed reports, and a planned deletion of the account. The contact on paused codes and the defaults of new codes are reset.',
    ...(domains.length > 0
      ? [
          `The account keeps its codes and these domains: ${domains.join(', ')}. If you didn’t add one, remove it in your settings.`,
        ]
      : []),
  ],
  button: settingsButton({ publicUrl }, 'Check my settings', 'sign-in'),
  notes: [
    'If any of it was yours, set it up again in your settings. You can also skip the password and have us email you a link each time.',
  ],
})

/** To the account's address. It can cancel in any case, and must approve if it is proved. */
export const approveLetter = (
  url: string,
  { to, isConsentNeeded }: { to: string; isConsentNeeded: boolean },
): Letter => ({
  subject: 'Change the email address of your account?',
  paragraphs: [
    `${HOPEFULLY_YOU} wants to change the email address of your Tessera account to ${to}. ${
      isConsentNeeded
        ? 'Nothing changes until you approve.'
        : 'It changes once that address is confirmed, because this one never was.'
    }`,
  ],
  button: { label: 'Approve or cancel', url },
  notes: [
    'The link works once, within a day. If this wasn’t you, cancel the change there and change your password.',
  ],
})

/** To the new address. */
export const proveLetter = (url: string, email: string): Letter => ({
  subject: 'Confirm your new address',
  paragraphs: [`The Tessera account of ${email} will use this address once you confirm it.`],
  button: { label: 'Confirm this address', url },
  notes: [
    'The link works once, within a day. Open it where you’re logged in to that account, or have its password ready.',
    'If that account isn’t yours, ignore this email. Its owner mistyped an address.',
  ],
})

/** To a new address that another account has: only its owner may learn that. */
export const addressTakenLetter = (publicUrl: string): Letter => ({
  subject: 'This address has an account',
  paragraphs: [
    `${HOPEFULLY_YOU} wants to use this address for another Tessera account. It already has an account, so nothing changes. To use it there, delete the account that has it, or give that one another address.`,
  ],
  button: signInButton(publicUrl),
  notes: [NOT_ASKED],
})

/** To the address that the account had. */
export const addressChangedLetter = (newEmail: string): Letter => ({
  subject: 'Your account has a new address',
  paragraphs: [
    `Your Tessera account now has the address ${newEmail}. Use it to log in from now on.`,
  ],
  notes: ['If this wasn’t you, contact support right away.'],
})

// Two-step verification and passkeys

const factorLetter =
  (
    subject: string,
    paragraphs: string[],
    note = `If this wasn’t you, log in, change your password, and check your settings now. If you can’t log in anymore, ${FORGOT}.`,
  ): EventLetter =>
  ({ publicUrl }) => ({
    subject,
    paragraphs,
    button: settingsButton({ publicUrl }, 'Review my account', 'sign-in'),
    notes: [note],
  })

export const secondFactorOnLetter = factorLetter(
  'Two-step verification is on',
  [
    'From now on, logging in with your password or an emailed link also takes a code from your authenticator app.',
    'All other browsers were logged out, so that each asks for a code. Keep your recovery codes somewhere you can find them without your phone.',
  ],
  // The owner has no code then, and a new password alone does not open the account.
  `If this wasn’t you, someone knows your password: ${FORGOT}, and ask support to turn two-step verification off.`,
)

export const secondFactorOffLetter = factorLetter('Two-step verification is off', [
  'Logging in no longer asks for a code from your authenticator app. Your recovery codes no longer work.',
  'To be safe, all other browsers were logged out.',
])

/** The reader is signed out, so the button leads to the sign-in. */
export const operatorTurnedOffLetter = (publicUrl: string): Letter => ({
  subject: 'Support turned off two-step verification',
  paragraphs: [
    'Our support team turned off two-step verification for your account. Logging in no longer asks for a code from your authenticator app, and your recovery codes no longer work.',
    'To be safe, all browsers were logged out.',
  ],
  button: { label: 'Log in', url: pageUrl(publicUrl, '/profile?settings=sign-in') },
  notes: [
    'If you asked for this, log in and set it up again. If you didn’t, contact support right away and change your password.',
  ],
})

export const recoveryCodesLetter = factorLetter('New recovery codes', [
  'Ten new recovery codes were created for your account. The earlier ones no longer work.',
])

export function recoveryCodeUsedLetter(left: number): EventLetter {
  const how = left === 0 ? 'It was the last one.' : 'You have one left.'
  return factorLetter('A recovery code was used', [
    'Someone logged in to your account with one of your recovery codes.',
    left > 1 ? `You have ${left} left.` : `${how} Create new ones in your settings, under “Login”.`,
  ])
}

export const wrongCodesLetter = factorLetter(
  'Someone is trying to get into your account',
  [
    'Someone entered your password, or opened a link from one of your emails, and then entered wrong codes again and again. They didn’t get in. For a day, we won’t take codes from browsers you haven’t used before.',
  ],
  'If this was you, check that your phone’s clock is right, or use a recovery code. If it wasn’t, change your password: someone knows it.',
)

export const passkeyAddedLetter = (context: EventContext, name: string) =>
  factorLetter('A passkey was added', [
    `From now on, the passkey${quoted(name, context)} can log in to your account without your password.`,
  ])(context)

export const passkeyCopiedLetter = (context: EventContext, name: string) =>
  factorLetter('A passkey may have been copied', [
    `Someone used the passkey${quoted(name, context)} of your account, and its count of logins was lower than ours, as it is for a copy. We refused it, so no one got in.`,
    'To be safe, remove this passkey in your settings and add a new one.',
  ])(context)

export const passkeyRemovedLetter = (context: EventContext, name: string) =>
  factorLetter('A passkey was removed', [
    `The passkey${quoted(name, context)} can no longer log in to your account.`,
    'Your device may still offer it. You can delete it there too.',
  ])(context)

// The end of an account, or of a workspace alone

/** The workspace that ends alone; undefined for an account with all that the person owns */
export type Ending = { id: WorkspaceId; name: string } | undefined

const wordsOf = (context: EventContext, ending: Ending) => ({
  title: ending ? `workspace${quoted(ending.name, context)}` : 'Tessera account',
  it: ending ? 'this workspace' : 'your account',
  button: (label: string) =>
    settingsButton({ ...context, workspaceId: ending?.id }, label, ending ? 'members' : 'leave'),
})

export function deletionAskedLetter(context: EventContext, ending: Ending, dueAt: number): Letter {
  const { title, it, button } = wordsOf(context, ending)
  const day = formatDay(dueAt, context)
  return {
    subject: `Your ${title} will be deleted on ${day}`,
    paragraphs: [
      `You asked us to delete ${it}. Until ${day}, all its QR codes keep working, and you can change your mind.`,
      `After that day, ${it}, its QR codes, and their scans are gone for good. Printed codes then open a page that says so, never someone else’s link.`,
      'A paid plan won’t renew.',
    ],
    button: button(`Keep ${ending ? 'the workspace' : 'my account'}`),
    notes: [`If you didn’t ask for this, log in, keep ${it}, and change your password right away.`],
  }
}

export function deletionSoonLetter(context: EventContext, ending: Ending, endsAt: number): Letter {
  const { title, it, button } = wordsOf(context, ending)
  const day = formatDay(endsAt, context)
  return {
    subject: `Your ${title} will be deleted on ${day}`,
    paragraphs: [
      `As you asked, ${it}, its QR codes, and their scans will be gone for good after ${day}. Printed codes stop working then.`,
      `Log in before then to keep ${it}, or to take your links with you.`,
    ],
    button: button(`Keep ${ending ? 'the workspace' : 'my account'}`),
  }
}

export function keptLetter(context: EventContext, ending: Ending): Letter {
  const { title, it } = wordsOf(context, ending)
  return {
    subject: `We’re keeping your ${title}`,
    paragraphs: [
      `We won’t delete ${it}. All its QR codes are as they were.`,
      'If it has a paid plan, that still ends with the period you paid for. You can turn renewal back on in its profile.',
    ],
    button: {
      label: 'Open the profile',
      url: pageUrl(context.publicUrl, openedIn('/profile', ending?.id)),
    },
    notes: ['If this wasn’t you, change your password.'],
  }
}
