import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Tier } from '#contract/plans.ts'
import type { Db } from '../database/schema.ts'
import type { Job } from '../jobs/job-runner.ts'
import type { Pages } from '../pages/pages.ts'
import { type AccountsDeps, accountRoutes } from './routes.ts'
import { currentUser, requireUser, sweepSessions } from './session.ts'

const HOUR_MS = 60 * 60 * 1000

export type AccountsRoomDeps = Omit<AccountsDeps, 'tierOf' | 'signInPage'> & {
  entitlementsOf: (db: Db, userId: string) => Promise<{ tier: Tier }>
  pages: Pages
}

/** Accounts and sessions: their routes and jobs, and for the other rooms who is signed in. */
export function accountsRoom(deps: AccountsRoomDeps) {
  const { auth, db, pages } = deps
  const tierOf = async (userId: string) => (await deps.entitlementsOf(db, userId)).tier
  const signInPage = () => pages.html['sign-in']
  const jobs: Job[] = [{ name: 'sweep-sessions', everyMs: HOUR_MS, run: () => sweepSessions(auth) }]
  return {
    routes: (site: FastifyInstance) => accountRoutes(site, { ...deps, tierOf, signInPage }),
    jobs,
    metrics: () => deps.hashing.metrics(),
    stop: () => deps.hashing.stop(),
    requireUser: requireUser(auth),
    userOf: async (request: FastifyRequest, reply: FastifyReply) =>
      (await currentUser(auth, request, reply))?.id,
  }
}
