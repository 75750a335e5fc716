import { expect, test } from 'vitest'
import { sections } from '../../../src/client/accounts/settings/sections.ts'
import * as accounts from '../../../src/server/accounts/letters.ts'
import * as notices from '../../../src/server/accounts/notices/notice-letters.ts'
import { figuresLetter } from '../../../src/server/analytics/mails/figures-letter.ts'
import type { PlanNotice } from '../../../src/server/billing/types.ts'
import type { WorkspaceId } from '../../../src/server/database/ids.ts'
import { type Letter, writeLetter } from '../../../src/server/mail/mail-template.ts'
import {
  addressByKeyLetter,
  switchedOffLetter,
} from '../../../src/server/webhooks/webhooks-room.ts'

const publicUrl = 'https://qr.example.com'
const context = { emailVerified: true, publicUrl }
const place = { zone: null, locale: null, publicUrl, unsubscribe: `${publicUrl}/api/unsubscribe` }

const plan: PlanNotice = {
  workspaceId: '1' as WorkspaceId,
  kind: 'plan-ends',
  about: 'sub_1',
  tier: 'starter',
  endsAt: null,
}

/** The letters whose button is not the link that they are about */
const letters: Letter[] = [
  accounts.newDeviceLetter(context),
  accounts.providerLinkedLetter(context, { provider: 'Acme', passwordLogin: true }),
  accounts.providerUnlinkedLetter(context, 'Acme'),
  accounts.exportedLetter(context),
  accounts.passwordChangedLetter(context, { isFirst: false }),
  accounts.deletionAskedLetter(context, undefined, 0),
  accounts.deletionSoonLetter(context, undefined, 0),
  accounts.keptLetter(context, undefined),
  accounts.secondFactorOnLetter(context),
  accounts.secondFactorOffLetter(context),
  accounts.operatorTurnedOffLetter(publicUrl),
  accounts.recoveryCodesLetter(context),
  accounts.recoveryCodeUsedLetter(1)(context),
  accounts.wrongCodesLetter(context),
  accounts.passkeyAddedLetter(context, 'Phone'),
  accounts.passkeyCopiedLetter(context, 'Phone'),
  accounts.passkeyRemovedLetter(context, 'Phone'),
  notices.codesEndLetter([{ name: 'Menu', expiresAt: 0 } as never], {
    ...place,
    isProved: true,
  }),
  notices.planLetter({ ...plan, kind: 'payment-failed' }, place),
  notices.planLetter(plan, place),
  notices.planLetter({ ...plan, endsAt: 0, next: { tier: 'starter', price: 499 } }, place),
  accounts.passwordResetLetter(context),
  accounts.alreadyHereLetter(publicUrl),
  accounts.firstProofLetter(publicUrl, []),
  accounts.addressTakenLetter(publicUrl),
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
  ...[accounts.passkeyAddedLetter, accounts.passkeyCopiedLetter, accounts.passkeyRemovedLetter].map(
    (letter) => letter({ publicUrl, emailVerified }, name),
  ),
  ...[accounts.keyMadeLetter, accounts.appConnectedLetter].flatMap((letter) =>
    ['write', 'read'].map((scope) => letter({ publicUrl, emailVerified }, { name, scope })),
  ),
  accounts.keyResumedLetter({ publicUrl, emailVerified }, { name, scope: 'read' }),
  notices.codesEndLetter([{ id: '', workspaceId: '' as WorkspaceId, name, expiresAt: 0 }], {
    ...place,
    isProved: emailVerified,
  }),
  switchedOffLetter(
    { url: 'https://evil.test/you-won', why: 'gone' },
    { emailVerified, publicUrl },
  ),
  ...[true, false].map((isNew) =>
    addressByKeyLetter(
      { url: 'https://evil.test/you-won', key: name, isNew },
      { emailVerified, publicUrl },
    ),
  ),
]

test.each(['https://evil.test/you-won', 'www.evil.test', 'You won: evil.test', 'won@evil.test'])(
  'a mail makes no link out of the name “%s”',
  (name) => {
    const days = { first: '2026-11-16', last: '2026-11-22' }
    const codes = [{ name, scans: 1, before: undefined }]
    const origin = { address: null, device: name }
    const figures = { scans: 1, codes, countries: [], devices: [] } as never
    const letters = [
      ...named(name, true),
      figuresLetter(figures, { ...place, every: 'weekly', days, zone: 'UTC' }),
      accounts.withFacts(accounts.newDeviceLetter(context), { origin, now: new Date(0) }),
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
