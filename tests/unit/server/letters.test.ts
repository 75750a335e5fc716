import { expect, test } from 'vitest'
import { sections } from '../../../src/client/accounts/settings/sections.ts'
import * as deletion from '../../../src/server/accounts/deletion/deletion-letters.ts'
import * as accounts from '../../../src/server/accounts/letters.ts'
import * as notices from '../../../src/server/accounts/notices/notice-letters.ts'
import * as recovery from '../../../src/server/accounts/recovery/recovery-letters.ts'
import * as factors from '../../../src/server/accounts/sign-in/second-factor/factor-letters.ts'
import type { Letter } from '../../../src/server/mail/mail-template.ts'

const publicUrl = 'https://qr.example.com'
const happening = { origin: { address: null, device: null }, now: new Date(0), publicUrl }
const place = { zone: null, publicUrl, unsubscribe: `${publicUrl}/api/unsubscribe` }

/** Those whose button is not the link that they are about. */
const letters: Letter[] = [
  accounts.newDeviceLetter(happening),
  accounts.providerLinkedLetter({
    ...happening,
    provider: 'Acme',
    passwordLogin: true,
  }),
  accounts.providerUnlinkedLetter({ ...happening, provider: 'Acme' }),
  accounts.exportedLetter(happening),
  accounts.passwordChangedLetter(happening, { isFirst: false }),
  deletion.deletionAskedLetter(0, happening),
  deletion.deletionSoonLetter(0, publicUrl),
  deletion.accountKeptLetter(happening),
  factors.secondFactorOnLetter(happening),
  factors.secondFactorOffLetter(happening),
  factors.operatorTurnedOffLetter(publicUrl),
  factors.recoveryCodesLetter(happening),
  factors.recoveryCodeUsedLetter(happening, 1),
  factors.wrongCodesLetter(happening),
  factors.passkeyAddedLetter(happening, 'Phone'),
  factors.passkeyRemovedLetter(happening, 'Phone'),
  notices.codesEndLetter([{ name: 'Menu', expiresAt: 0 } as never], place),
  notices.paymentFailedLetter('starter', place),
  notices.planEndsLetter({ tier: 'starter', endsAt: null }, place),
  recovery.passwordResetLetter(happening),
  recovery.alreadyHereLetter(publicUrl),
  recovery.firstProofLetter(publicUrl),
  recovery.addressTakenLetter(publicUrl),
]

test.each(letters.map((letter) => [letter.subject, letter.button?.url ?? '']))(
  '“%s” leads its reader to a page of the account, signed in or not',
  (_subject, address) => {
    const { origin, pathname, searchParams } = new URL(address)
    expect(origin).toBe(publicUrl)
    // Each comes back here after signing in. The profile does only with a part of the settings.
    expect(['/api/login', '/profile', '/subscription']).toContain(pathname)
    const part = searchParams.get('settings')
    if (pathname === '/profile') expect(Object.keys(sections)).toContain(part)
  },
)
