import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import { formatCount, formatMoment, localeOf, type Reader } from '../formats.ts'
import type { Metric } from '../http/metrics.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { readVersion } from '../version.ts'
import { printedThing, printedThings } from './printed-codes.ts'
import { drawSitePage, type Site, sitePages } from './site-pages.ts'
import { sitePage } from './site-parts.ts'

export type SitePageDeps = {
  config: Site
  clock: Clock
  metrics: () => Metric[]
  /** Whether the database reads a row now */
  hasDatabase: () => Promise<boolean>
}

/** The pages that the landing page's footer leads to, and its pictures that hold this server's address. */
export async function sitePageRoutes(app: FastifyInstance, deps: SitePageDeps) {
  const { config, clock, metrics, hasDatabase } = deps
  for (const page of sitePages) {
    app.get(`/api/${page}`, async (request, reply) =>
      sendPlainPage(reply, 200, drawSitePage(page, config, readerOf(request, reply))),
    )
  }

  const version = readVersion()
  app.get('/api/status', async (request, reply) => {
    const value = new Map(metrics().map((metric) => [metric.name, metric.value]))
    const status = {
      hasDatabase: await hasDatabase(),
      scansWaiting: value.get('tessera_scans_waiting') ?? 0,
      scansLost: value.get('tessera_scans_lost_total') ?? 0,
      backupAgeMs: (value.get('tessera_backup_age_seconds') ?? Number.NaN) * SECOND_MS,
      version,
      at: clock(),
    }
    const html = statusPage(status, readerOf(request, reply))
    return sendPlainPage(reply, status.hasDatabase ? 200 : 503, html)
  })

  for (const thing of printedThings) {
    const picture = printedThing(thing, `${config.publicUrl}/`)
    app.get(`/pictures/printed-${thing}.svg`, async (_request, reply) =>
      reply
        .type('image/svg+xml; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(picture),
    )
  }
}

/** Counts and times are written as the browser asks for. */
function readerOf(request: FastifyRequest, reply: FastifyReply): Reader {
  reply.header('vary', 'Accept-Language')
  return { locale: localeOf(request.headers['accept-language']) }
}

/** The state of the server at the time of the request. */
export type Status = {
  hasDatabase: boolean
  /** Scans that are on disk and not in the numbers */
  scansWaiting: number
  scansLost: number
  /** Since the last backup; NaN if there is none that the server knows of */
  backupAgeMs: number
  version: string
  at: Date
}

export function statusPage(status: Status, reader: Reader): string {
  const { hasDatabase, scansWaiting, scansLost, backupAgeMs, version, at } = status
  const backupAt = new Date(at.getTime() - backupAgeMs)
  const rows = [
    ['Dashboard', hasDatabase ? 'Working' : 'Not responding'],
    ['Scans waiting to be counted', formatCount(scansWaiting, reader)],
    ['Scans not saved since the last restart', formatCount(scansLost, reader)],
    ...(Number.isNaN(backupAgeMs)
      ? []
      : [['Last backup', `${formatMoment(backupAt, reader)} UTC`]]),
    ['Version', version],
  ].map(([what, is]) => `<dt>${what}</dt><dd>${is}</dd>`)
  const lead = hasDatabase
    ? 'Everything is working.'
    : 'We’re having trouble right now. Recently scanned codes still work. Please try again in a few minutes.'
  const checked = `Checked on ${formatMoment(at, reader)} UTC. Reload the page to check again.`
  return sitePage('Status', {
    lead: `<p>${lead}</p><dl>${rows.join('')}</dl><p>${checked}</p>`,
  })
}
