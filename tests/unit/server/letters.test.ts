import { expect, test } from 'vitest'
import { sections } from '../../../src/client/accounts/settings/sections.ts'
import * as deletion from '../../../src/server/accounts/deletion/deletion-letters.ts'
import { keyMadeLetter } from '../../../src/server/accounts/keys/key-routes.ts'
import * as accounts from '../../../src/server/accounts/letters.ts'
import * as notices from '../../../src/server/accounts/notices/notice-letters.ts'
import * as recovery from '../../../src/server/accounts/recovery/recovery-letters.ts'
import * as factors from '../../../src/server/accounts/sign-in/second-factor/factor-letters.ts'
import { figuresLetter } from '../../../src/server/analytics/mails/figures-letter.ts'
import { type Letter, writeLetter } from '../../../src/server/mail/mail-template.ts'
import { switchedOffLetter } from '../../../src/server/webhooks/webhooks-room.ts'

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
  factors.passkeyAddedLetter(happening, 'Phone', { emailVerified: true }),
  factors.passkeyCopiedLetter(happening, 'Phone', { emailVerified: true }),
  factors.passkeyRemovedLetter(happening, 'Phone', { emailVerified: true }),
  notices.codesEndLetter([{ name: 'Menu', expiresAt: 0 } as never], {
    ...place,
    isProved: true,
  }),
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

const named = (name: string, emailVerified: boolean): Letter[] => [
  factors.passkeyAddedLetter(happening, name, { emailVerified }),
  factors.passkeyCopiedLetter(happening, name, { emailVerified }),
  factors.passkeyRemovedLetter(happening, name, { emailVerified }),
  keyMadeLetter(happening, { name, scope: 'write' }, { emailVerified }),
  keyMadeLetter(happening, { name, scope: 'read' }, { emailVerified }),
  notices.codesEndLetter([{ id: '', userId: '', name, expiresAt: 0 }], {
    ...place,
    isProved: emailVerified,
  }),
  switchedOffLetter(
    { url: 'https://evil.test/you-won', why: 'gone' },
    { emailVerified, publicUrl },
  ),
]

test.each(['https://evil.test/you-won', 'www.evil.test', 'You won: evil.test', 'won@evil.test'])(
  'a mail makes no link out of the name “%s”',
  (name) => {
    const days = { first: '2026-11-16', last: '2026-11-22' }
    const codes = [{ name, scans: 1, before: undefined }]
    const figures = { scans: 1, codes, countries: [], devices: [] } as never
    const letters = [
      ...named(name, true),
      figuresLetter(figures, { ...place, every: 'weekly', days, zone: 'UTC' }),
      accounts.newDeviceLetter({ ...happening, origin: { address: null, device: name } }),
    ]
    for (const letter of letters) {
      const { text, html } = writeLetter(letter, publicUrl)
      for (const part of [letter.subject, text, html]) {
        expect(part).not.toMatch(/evil\.test|:\/\/evil|www\.evil|@evil/)
      }
      expect(text).toContain('evil.\u2060test')
    }
  },
)

test.each(named('evil.test', false).map((letter) => [letter.subject, letter]))(
  '“%s” names nothing to an address that is not proved',
  (_subject, letter) => {
    const { text, html } = writeLetter(letter, publicUrl)
    expect([letter.subject, text, html].join()).not.toMatch(/evil|[“”]{2}|undefined/)
  },
)
