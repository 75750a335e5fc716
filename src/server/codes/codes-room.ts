import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Job } from '../jobs/job-runner.ts'
import { type CodesDeps, codeRoutes } from './routes.ts'
import { codeSweeps, type SweepDeps } from './sweeps.ts'
import { Verdicts } from './verdicts.ts'

export type CodesRoomDeps = Omit<CodesDeps, 'onUnchecked'> &
  Pick<SweepDeps, 'forgetScans'> & { log: FastifyBaseLogger }

/** Codes: their routes, the verdicts on their pictures, and their sweeps. */
export function codesRoom(deps: CodesRoomDeps) {
  const verdicts = new Verdicts({
    ...deps,
    checkLook: (design, asker) => deps.drawings.checkLook(design, asker),
  })
  const onUnchecked = (id: string, owner: string) => verdicts.checkSoon(id, owner)
  const jobs: Job[] = [...codeSweeps(deps), verdicts.sweep()]
  return {
    routes: (site: FastifyInstance) => codeRoutes(site, { ...deps, onUnchecked }),
    jobs,
    metrics: () => verdicts.metrics(),
    stop: () => verdicts.stop(),
  }
}
