import type { FastifyInstance } from 'fastify'
import type { Metric } from '../http/metrics.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { type PrintedThing, printedThings } from './printed-codes.ts'
import { drawSitePages, type Site, sitePages } from './site-pages.ts'
import { readVersion, statusPage } from './status-page.ts'

export type SitePageDeps = {
  config: Site
  metrics: () => Metric[]
  /** Whether the database reads a row now */
  hasDatabase: () => Promise<boolean>
}

/** The pages that the landing page's footer leads to, and its pictures that hold this server's address. */
export async function sitePageRoutes(app: FastifyInstance, deps: SitePageDeps) {
  const { config, metrics, hasDatabase } = deps
  const drawn = drawSitePages(config)
  for (const page of sitePages) {
    app.get(`/api/${page}`, async (_request, reply) => sendPlainPage(reply, 200, drawn[page]))
  }

  const version = readVersion()
  app.get('/api/status', async (_request, reply) => {
    const value = new Map(metrics().map((metric) => [metric.name, metric.value]))
    const status = {
      hasDatabase: await hasDatabase(),
      scansWaiting: value.get('tessera_scans_waiting') ?? 0,
      scansLost: value.get('tessera_scans_lost_total') ?? 0,
      version,
    }
    return sendPlainPage(reply, status.hasDatabase ? 200 : 503, statusPage(status))
  })

  for (const thing of Object.keys(printedThings) as PrintedThing[]) {
    const picture = printedThings[thing](`${config.publicUrl}/`)
    app.get(`/pictures/printed-${thing}.svg`, async (_request, reply) =>
      reply
        .type('image/svg+xml; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(picture),
    )
  }
}
