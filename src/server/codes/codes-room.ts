import type { FastifyInstance } from 'fastify'
import type { WorkspaceId } from '../database/ids.ts'
import type { Room } from '../room.ts'
import { codeSweeps } from './cleanup.ts'
import { healthChecks } from './health/health-checks.ts'
import { importPublisher } from './imports/publisher.ts'
import { sheetTurns } from './pictures/codes-file.ts'
import { Verdicts } from './pictures/verdicts.ts'
import { codeRoutes } from './routes.ts'
import type { CodesRoomDeps } from './types.ts'

/** Codes: their routes, the verdicts on their pictures, the publishing of files, and their sweeps. */
export function codesRoom(deps: CodesRoomDeps) {
  const verdicts = new Verdicts(deps)
  const health = healthChecks(deps)
  const onUnchecked = (id: string, owner: WorkspaceId) => verdicts.checkSoon(id, owner)
  const publisher = importPublisher({ ...deps, onUnchecked })
  const shared = { ...deps, onUnchecked, publishSoon: publisher.soon, sheetTurn: sheetTurns() }
  return {
    routes: (site: FastifyInstance) => codeRoutes(site, shared),
    jobs: [...codeSweeps(deps), verdicts.sweep(), ...publisher.jobs, ...health.jobs],
    metrics: () => verdicts.metrics(),
    /** Resolves when no import is being published. */
    idle: publisher.idle,
    healthIdle: health.idle,
    stop: async () => {
      await health.stop()
      await publisher.stop()
      await verdicts.stop()
    },
  } satisfies Room & Record<'idle' | 'healthIdle', () => Promise<void>>
}
