import type { FastifyBaseLogger } from 'fastify'
import { PICTURE_MAX_BYTES } from '#contract/account-settings.ts'
import type { Db } from '../../../database/schema.ts'
import { type DownloadLimits, download } from '../../../http/public-network.ts'
import type { BackgroundTasks } from '../../background-tasks.ts'
import { pictureUrlOf } from '../../users-store.ts'

const LIMITS: DownloadLimits = { maxBytes: PICTURE_MAX_BYTES, patienceMs: 5_000 }

type Deps = {
  db: Db
  log: FastifyBaseLogger
  later: BackgroundTasks
  storePicture: (db: Db, userId: string, bytes: Uint8Array) => Promise<void>
  /** Others than the usual ones, in tests */
  limits?: Partial<DownloadLimits>
}

/**
 * Fetches the picture that a provider names, once, for somebody who has none: people's browsers never
 * ask the provider for it. Who has no picture in the end is shown by initials.
 */
export function pictureTaker({ db, log, later, storePicture, limits }: Deps) {
  return (userId: string, address: string) =>
    later.run(async () => {
      if (await pictureUrlOf(db, userId)) return
      try {
        await storePicture(db, userId, await download(address, { ...LIMITS, ...limits }))
      } catch (error) {
        log.info({ userId, why: (error as Error).message }, 'the provider’s picture is not taken')
      }
    })
}
