import type { FastifyInstance } from 'fastify'
import type { Job } from '../jobs.ts'
import type { RoomDeps } from '../room.ts'
import { type ImportRoutesDeps, importRoutes } from './imports/import-routes.ts'
import { Publisher, type PublisherDeps } from './imports/publisher.ts'
import { sheetTurns } from './pictures/codes-file.ts'
import { Verdicts } from './pictures/verdicts.ts'
import { type CodesDeps, codeRoutes } from './routes.ts'
import { codeSweeps, type SweepDeps } from './sweeps.ts'

export type CodesRoomDeps = RoomDeps &
  Omit<CodesDeps, 'onUnchecked' | 'sheetTurn'> &
  Pick<SweepDeps, 'forgetScans'> &
  Pick<ImportRoutesDeps, 'originOf'> &
  Pick<PublisherDeps, 'recordLater'>

/** Codes: their routes, the verdicts on their pictures, the publishing of files, and their sweeps. */
export function codesRoom(deps: CodesRoomDeps) {
  const verdicts = new Verdicts({
    ...deps,
    checkLook: (design, asker) => deps.drawings.checkLook(design, asker),
  })
  const shared = {
    ...deps,
    onUnchecked: (id: string, owner: string) => verdicts.checkSoon(id, owner),
    sheetTurn: sheetTurns(),
  }
  const publisher = new Publisher(shared)
  const onAsked = (id: string) => publisher.soon(id)
  const jobs: Job[] = [...codeSweeps(deps), verdicts.sweep(), ...publisher.jobs()]
  return {
    routes: (site: FastifyInstance) =>
      codeRoutes(site, shared, (scope) => importRoutes(scope, { ...shared, onAsked })),
    jobs,
    metrics: () => verdicts.metrics(),
    /** Resolves when no import is being published. */
    idle: () => publisher.idle(),
    stop: async () => {
      await publisher.stop()
      await verdicts.stop()
    },
  }
}
