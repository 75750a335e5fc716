import type { Letter } from '../../mail/mail-template.ts'
import { factsOf } from '../letters.ts'
import type { Happening } from '../sign-in/second-factor/factor-letters.ts'

/** What our mail says when a key was made: a program that has one needs no password. */
export const keyMadeLetter = (
  happening: Happening,
  { name, scope }: { name: string; scope: string },
): Letter => ({
  subject: 'An API key was made',
  paragraphs: [
    scope === 'write'
      ? `Programs that have the API key “${name}” can see, make, change and delete the QR codes of your account.`
      : `Programs that have the API key “${name}” can see the QR codes of your account and their scans.`,
  ],
  facts: factsOf(happening),
  button: { label: 'See my API keys', url: `${happening.publicUrl}/profile?settings=keys` },
  notes: [
    'If this was not you, sign in, revoke the key and change your password now. If you cannot sign in any more, choose “Forgot your password?” on the sign-in page.',
  ],
})
