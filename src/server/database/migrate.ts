import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './connect.ts'
import * as codes from './migrations/001-codes.ts'
import * as scans from './migrations/002-scans.ts'
import * as accounts from './migrations/003-accounts.ts'
import * as signInFailures from './migrations/004-sign-in-failures.ts'
import * as errorCorrection from './migrations/005-error-correction.ts'
import * as billing from './migrations/006-billing.ts'
import * as sandbox from './migrations/007-sandbox.ts'
import * as simplerSandbox from './migrations/008-simpler-sandbox.ts'
import * as limits from './migrations/009-limits.ts'
import * as mails from './migrations/010-mails.ts'
import * as audit from './migrations/011-audit.ts'
import * as settings from './migrations/012-accounts.ts'
import * as provider from './migrations/013-provider.ts'
import * as leaving from './migrations/014-leaving.ts'
import * as journals from './migrations/015-journals.ts'
import * as totals from './migrations/016-totals.ts'
import * as codeVersions from './migrations/017-code-versions.ts'
import * as scanPacks from './migrations/018-scan-packs.ts'
import * as shares from './migrations/019-shares.ts'
import * as figureMails from './migrations/020-figure-mails.ts'
import * as artwork from './migrations/021-artwork.ts'
import * as logos from './migrations/022-logos.ts'
import * as looks from './migrations/023-looks.ts'
import * as printProofs from './migrations/024-print-proofs.ts'
import * as apiKeys from './migrations/025-api-keys.ts'
import * as tags from './migrations/026-tags.ts'
import * as idempotency from './migrations/027-idempotency.ts'
import * as webhooks from './migrations/028-webhooks.ts'
import * as imports from './migrations/029-imports.ts'
import * as signIns from './migrations/030-sign-ins.ts'
import * as secondStepOffers from './migrations/031-second-step-offers.ts'
import * as dueDeliveries from './migrations/032-due-deliveries.ts'
import * as importRows from './migrations/033-import-rows.ts'
import * as mailPriorities from './migrations/036-mail-priorities.ts'

/**
 * Brings the database up to date, forward only, in the order of the names. Several processes may
 * run it at once: Kysely's advisory lock on PostgreSQL and one write transaction on SQLite keep
 * them apart.
 */
export async function migrate(database: Database): Promise<void> {
  const list: Record<string, Migration> = {
    '001-codes': codes,
    '002-scans': scans,
    '003-accounts': accounts,
    '004-sign-in-failures': signInFailures,
    '005-error-correction': errorCorrection,
    '006-billing': billing,
    '007-sandbox': sandbox,
    '008-simpler-sandbox': simplerSandbox,
    '009-limits': limits,
    '010-mails': mails,
    '011-audit': audit,
    '012-accounts': settings,
    '013-provider': provider,
    '014-leaving': leaving,
    '015-journals': journals,
    '016-totals': totals,
    '017-code-versions': codeVersions,
    '018-scan-packs': scanPacks,
    '019-shares': shares,
    '020-figure-mails': figureMails,
    '021-artwork': artwork,
    '022-logos': logos,
    '023-looks': looks,
    '024-print-proofs': printProofs,
    '025-api-keys': apiKeys,
    '026-tags': tags,
    '027-idempotency': idempotency,
    '028-webhooks': webhooks,
    '029-imports': imports,
    '030-sign-ins': signIns,
    '031-second-step-offers': secondStepOffers,
    '032-due-deliveries': dueDeliveries,
    '033-import-rows': importRows,
    '036-mail-priorities': mailPriorities,
  }
  if (database.location.engine === 'postgres') return migrateToLatest(database.db, list)
  await database.db.connection().execute(async (connection) => {
    await sql`begin immediate`.execute(connection)
    try {
      await migrateToLatest(connection, list)
      await sql`commit`.execute(connection)
    } catch (error) {
      await sql`rollback`.execute(connection)
      throw error
    }
  })
}

async function migrateToLatest(
  db: Kysely<never> | Kysely<unknown> | Database['db'],
  list: Record<string, Migration>,
) {
  const provider = { getMigrations: async () => list }
  const { error } = await new Migrator({ db: db as Kysely<unknown>, provider }).migrateToLatest()
  if (error) throw error
}
