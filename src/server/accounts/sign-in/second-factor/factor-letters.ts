import type { Letter } from '../../../mail/mail-template.ts'
import { factsOf, type Happening, pageUrl, quoted } from '../../letters.ts'

/*
 * What our mails about second steps and passkeys say.
 */

type Addressee = { emailVerified: boolean }

const settings = (publicUrl: string) => ({
  label: 'Look at my account',
  url: `${publicUrl}/profile?settings=sign-in`,
})

const NOT_YOU =
  'If this was not you, sign in, change your password and look at your settings now. If you cannot sign in any more, choose “Forgot your password?” on the sign-in page.'

function letter(happening: Happening, subject: string, ...paragraphs: string[]): Letter {
  const facts = factsOf(happening)
  return { subject, paragraphs, facts, button: settings(happening.publicUrl), notes: [NOT_YOU] }
}

export const secondFactorOnLetter = (happening: Happening): Letter => ({
  ...letter(
    happening,
    'Your second step is on',
    'From now on, signing in with your password or a mailed link also takes a code from your authenticator app.',
    'Every other browser was signed out, so that all of them ask for a code. Keep your recovery codes where you find them without your phone.',
  ),
  // The owner has no code then, and a new password alone does not open the account.
  notes: [
    'If this was not you, somebody knows your password: choose “Forgot your password?” on the sign-in page, and ask the operator of this server to turn the second step off.',
  ],
})

export const secondFactorOffLetter = (happening: Happening) =>
  letter(
    happening,
    'Your second step is off',
    'Signing in no longer asks for a code from your authenticator app. Your recovery codes no longer work.',
    'Every other browser was signed out, to be safe.',
  )

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

export const recoveryCodesLetter = (happening: Happening) =>
  letter(
    happening,
    'New recovery codes',
    'Ten new recovery codes were made for your account. The earlier ones no longer work.',
  )

export const recoveryCodeUsedLetter = (happening: Happening, left: number) =>
  letter(
    happening,
    'A recovery code was used',
    'Somebody signed in to your account with one of your recovery codes.',
    leftInWords(left),
  )

function leftInWords(left: number): string {
  if (left === 0) return 'It was the last one. Make new ones in your settings, under “Sign-in”.'
  return left === 1
    ? 'One code is left. Make new ones in your settings, under “Sign-in”.'
    : `${left} codes are left.`
}

export const wrongCodesLetter = (happening: Happening) => ({
  ...letter(
    happening,
    'Somebody is trying to get past your second step',
    'Somebody entered your password, or opened a link from one of your mails, and then gave wrong codes again and again. They did not get in. For a day we take no more codes from browsers that you have not used before.',
  ),
  notes: [
    'If this was you, check that the clock of your phone is right, or use a recovery code. If not, change your password: somebody knows it.',
  ],
})

export const passkeyAddedLetter = (happening: Happening, name: string, account: Addressee) =>
  letter(
    happening,
    'A passkey was added',
    `The passkey${quoted(name, account)} can sign in to your account from now on, without your password.`,
  )

export const passkeyCopiedLetter = (happening: Happening, name: string, account: Addressee) =>
  letter(
    happening,
    'A passkey may have been copied',
    `Somebody used the passkey${quoted(name, account)} of your account, and it had counted fewer sign-ins than we know of. That is so if it is a copy. We refused it, and nobody got in.`,
    'To be safe, remove this passkey in your settings and add a new one.',
  )

export const passkeyRemovedLetter = (happening: Happening, name: string, account: Addressee) =>
  letter(
    happening,
    'A passkey was removed',
    `The passkey${quoted(name, account)} can no longer sign in to your account.`,
    'Your device may still offer it. You can delete it there too.',
  )
