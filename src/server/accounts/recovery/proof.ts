import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import type { Mailer } from '../../mail/mail-room.ts'
import { proofLetter } from '../letters.ts'
import { linkLives, linkUrl, makeToken } from '../mailed-links.ts'
import type { AccountRow } from '../users-store.ts'

type Deps = { db: Db; clock: Clock; mailer: Mailer; config: { publicUrl: string } }

/** Mails the link that proves an account's address. */
export async function mailProof({ db, clock, mailer, config }: Deps, account: AccountRow) {
  const { id, email } = account
  const token = await makeToken(db, 'verify-email', { userId: id, email }, clock())
  const letter = proofLetter(linkUrl(config.publicUrl, 'verify-email', token))
  const lifeMs = linkLives['verify-email']
  await mailer.queue(db, { kind: 'verify-email', to: email, letter, lifeMs })
  mailer.soon()
}
