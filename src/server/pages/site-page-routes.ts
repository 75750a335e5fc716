import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND_MS } from '#contract/time.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { formatCount, formatMoment, localeOf, type Reader } from '../formats.ts'
import type { Metric } from '../http/metrics.ts'
import { sendPlainPage } from '../http/plain-page.ts'
import { readVersion } from '../version.ts'
import { printedThing, printedThings } from './printed-codes.ts'
import { drawSitePage, sitePages } from './site-pages.ts'
import { sitePage } from './site-parts.ts'

export type SitePageDeps = {
  config: Config
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
    const isWorking = await hasDatabase()
    const values = new Map(metrics().map(({ name, value }) => [name, value]))
    const status = { isWorking, values, version, at: clock() }
    const html = statusPage(status, readerOf(request, reply))
    return sendPlainPage(reply, isWorking ? 200 : 503, html)
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

/** @param status with the values of metrics by their names */
function statusPage(
  status: { isWorking: boolean; values: Map<string, number>; version: string; at: Date },
  reader: Reader,
): string {
  const { isWorking, values, version, at } = status
  const countOf = (name: string) => formatCount(values.get(name) ?? 0, reader)
  const backupAge = values.get('tessera_backup_age_seconds') ?? Number.NaN
  const backupAt = new Date(at.getTime() - backupAge * SECOND_MS)
  const rows = [
    ['Dashboard', isWorking ? 'Working' : 'Not responding'],
    ['Scans waiting to be counted', countOf('tessera_scans_waiting')],
    ['Scans not saved since the last restart', countOf('tessera_scans_lost_total')],
    // The server may know of no backup.
    ...(Number.isNaN(backupAge) ? [] : [['Last backup', `${formatMoment(backupAt, reader)} UTC`]]),
    ['Version', version],
  ].map(([what, is]) => `<dt>${what}</dt><dd>${is}</dd>`)
  const lead = isWorking
    ? 'Everything is working.'
    : 'We’re having trouble right now. Recently scanned codes still work. Please try again in a few minutes.'
  const checked = `Checked on ${formatMoment(at, reader)} UTC. Reload the page to check again.`
  return sitePage('Status', {
    lead: `<p>${lead}</p><dl>${rows.join('')}</dl><p>${checked}</p>`,
  })
}
