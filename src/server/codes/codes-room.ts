import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Job } from '../jobs/job-runner.ts'
import { type ImportsDeps, importsPart } from './imports/imports-part.ts'
import { sheetTurns } from './pictures/sheet-routes.ts'
import { Verdicts } from './pictures/verdicts.ts'
import { type CodesDeps, codeRoutes } from './routes.ts'
import { codeSweeps, type SweepDeps } from './sweeps.ts'

export type CodesRoomDeps = Omit<CodesDeps, 'onUnchecked' | 'sheetTurn' | 'imports'> &
  Pick<SweepDeps, 'forgetScans'> &
  Pick<ImportsDeps, 'originOf' | 'recordLater'> & { log: FastifyBaseLogger }

/** Codes: their routes, the verdicts on their pictures, and their sweeps. */
export function codesRoom(deps: CodesRoomDeps) {
  const verdicts = new Verdicts({
    ...deps,
    checkLook: (design, asker) => deps.drawings.checkLook(design, asker),
  })
  const onUnchecked = (id: string, owner: string) => verdicts.checkSoon(id, owner)
  const sheetTurn = sheetTurns()
  const imports = importsPart({ ...deps, onUnchecked, sheetTurn })
  const jobs: Job[] = [...codeSweeps(deps), verdicts.sweep(), ...imports.jobs]
  return {
    routes: (site: FastifyInstance) =>
      codeRoutes(site, { ...deps, onUnchecked, sheetTurn, imports: imports.routes }),
    jobs,
    metrics: () => verdicts.metrics(),
    /** Resolves when no import is being published. */
    idle: () => imports.idle(),
    stop: async () => {
      await imports.stop()
      await verdicts.stop()
    },
  }
}
