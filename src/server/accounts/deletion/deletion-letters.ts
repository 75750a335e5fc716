import type { Letter } from '../../mail/mail-template.ts'
import { factsOf, type Happening, pageUrl } from '../letters.ts'

/*
 * What our mails about the end of an account say.
 */

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

const keepIt = (publicUrl: string) => ({
  label: 'Keep my account',
  url: `${publicUrl}/profile?settings=leave`,
})

export function deletionAskedLetter(dueAt: number, { origin, now, publicUrl }: Happening): Letter {
  return {
    subject: `Your Tessera account will be deleted on ${day.format(dueAt)}`,
    paragraphs: [
      `You asked us to delete your account. Until ${day.format(dueAt)} all your QR codes keep working, and you can change your mind.`,
      'After that day your account, your codes and their scans are gone for good. What is printed then leads to a page that says so, and never to somebody else’s link.',
      'A paid plan does not renew any more.',
    ],
    facts: factsOf({ origin, now }),
    button: keepIt(publicUrl),
    notes: [
      'If you did not ask for this, sign in, keep your account and change your password at once.',
    ],
  }
}

export function deletionSoonLetter(dueAt: number, publicUrl: string): Letter {
  return {
    subject: `Your Tessera account will be deleted on ${day.format(dueAt)}`,
    paragraphs: [
      `As you asked, your account, your codes and their scans will be gone for good after ${day.format(dueAt)}. Printed codes stop working then.`,
      'Sign in until that day to keep your account, or to take your links with you.',
    ],
    button: keepIt(publicUrl),
  }
}

export function accountKeptLetter({ origin, now, publicUrl }: Happening): Letter {
  return {
    subject: 'Your Tessera account stays',
    paragraphs: [
      'Your account is no longer going to be deleted. All your codes are as they were.',
      'If you have a paid plan, it still ends with the period that you paid for. You can let it renew again in your profile.',
    ],
    facts: factsOf({ origin, now }),
    button: { label: 'Open my profile', url: pageUrl(publicUrl, '/profile') },
    notes: ['If this was not you, change your password.'],
  }
}
