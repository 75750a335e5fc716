import { readFileSync } from 'node:fs'
import { formatCount, formatMoment, type Reader } from '../formats.ts'
import { sitePage } from './site-parts.ts'

/** The state of the server at the time of the request. */
export type Status = {
  hasDatabase: boolean
  /** Scans that are on disk and not in the numbers */
  scansWaiting: number
  scansLost: number
  version: string
  at: Date
}

export function statusPage(status: Status, reader: Reader): string {
  const { hasDatabase, scansWaiting, scansLost, version, at } = status
  const rows = [
    ['Dashboard', hasDatabase ? 'Working' : 'Not responding'],
    ['Scans waiting to be counted', formatCount(scansWaiting, reader)],
    ['Scans not saved since the last restart', formatCount(scansLost, reader)],
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

/** The version of Tessera that runs. */
export function readVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}
