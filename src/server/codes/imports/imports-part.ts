import type { FastifyInstance } from 'fastify'
import { HOUR_MS } from '#contract/time.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/schema.ts'
import type { Job } from '../../jobs/job-runner.ts'
import { type ImportRoutesDeps, importRoutes } from './import-routes.ts'
import { abandonOld, removeAbandoned } from './imports-store.ts'
import { OPEN_MS, USED_MS } from './present-import.ts'
import { Publisher, type PublisherDeps } from './publisher.ts'

export type ImportsDeps = PublisherDeps & Omit<ImportRoutesDeps, 'onAsked'>

/** Codes out of spreadsheets: their routes, the publishing, and the end of what nobody used. */
export function importsPart(deps: ImportsDeps) {
  const publisher = new Publisher(deps)
  return {
    routes: (scope: FastifyInstance) =>
      importRoutes(scope, { ...deps, onAsked: (id) => publisher.soon(id) }),
    jobs: [publisher.job(), sweepImports(deps)],
    idle: () => publisher.idle(),
    stop: () => publisher.stop(),
  }
}

/** Forgets files that nobody used for a day, those of a process that was killed, and used ones after a week. */
function sweepImports({ db, clock }: { db: Db; clock: Clock }): Job {
  async function run() {
    await abandonOld(db, { openMs: OPEN_MS, usedMs: USED_MS, readingMs: HOUR_MS }, clock())
    await removeAbandoned(db)
  }
  return { name: 'sweep-imports', everyMs: HOUR_MS, run }
}
