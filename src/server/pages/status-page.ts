import { readFileSync } from 'node:fs'
import { sitePage } from './site-pages.ts'

/** The state of the server at the time of the request. */
export type Status = {
  hasDatabase: boolean
  /** Scans that are on disk and not in the numbers */
  scansWaiting: number
  scansLost: number
  version: string
}

export function statusPage({ hasDatabase, scansWaiting, scansLost, version }: Status): string {
  const rows = [
    ['Database', hasDatabase ? 'answers' : 'does not answer'],
    ['Scans on their way into the numbers', count(scansWaiting)],
    ['Scans lost since the last start', count(scansLost)],
    ['Version', version],
  ].map(([what, is]) => `<dt>${what}</dt><dd>${is}</dd>`)
  const lead = hasDatabase
    ? 'Everything works.'
    : 'The database does not answer right now. Codes that were scanned a short time ago still work.'
  return sitePage('Status', `<p>${lead}</p>`, `<dl>${rows.join('')}</dl>`)
}

const count = (value: number) => value.toLocaleString('en-US')

/** The version of Tessera that runs. */
export function readVersion(): string {
  const file = new URL('../../../package.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}
