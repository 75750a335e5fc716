import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Metric } from '../http/metrics.ts'
import { databaseProbe, type OperationsDeps, operationsRoutes } from '../http/operations.ts'
import { descriptionRoutes } from '../openapi/description-routes.ts'
import type { Room, RoomDeps } from '../room.ts'
import { pageRoutes } from './page-routes.ts'
import { sitePageRoutes } from './site-page-routes.ts'

type Deps = Pick<RoomDeps, 'config' | 'publicUrl' | 'secret' | 'clock' | 'database' | 'pages'> &
  Pick<OperationsDeps, 'taxBehaviors' | 'hasRegions'> & {
    /** The account that is signed in, if any */
    userOf: (request: FastifyRequest, reply: FastifyReply) => Promise<string | undefined>
    /** The metrics of all rooms */
    metrics: () => Metric[]
  }

/** The pages and their assets, the API's description, and what operators ask. */
export function pagesRoom(deps: Deps): Room {
  const { config, publicUrl, clock, database, pages, userOf, metrics } = deps
  const hasDatabase = databaseProbe(database)
  return {
    routes: async (site) => {
      await site.register(operationsRoutes, { ...deps, hasDatabase })
      await site.register(sitePageRoutes, { hasDatabase, config, clock, metrics })
      await site.register(descriptionRoutes, {
        publicUrl,
        page: pages.html.docs,
        file: pages.apiDocument,
      })
      await site.register(pageRoutes, { pages, publicUrl, userOf })
    },
  }
}
