import { parentPort, workerData } from 'node:worker_threads'
import type { Location } from '../database/connect.ts'
import { isDatabaseDown } from '../database/faults.ts'
import { Ledger } from './ledger.ts'
import { openLedger } from './ledger-connections.ts'
import type { Scan } from './scan.ts'

/*
 * The recorder's own thread, with a database handle of its own: neither a held lock nor a slow
 * disk ever stops the thread that answers redirects.
 */

/** Asks for one commit: scans as a JSON array of arrays. */
export type CommitRequest = { scans: string }
/** What became of it. `refused` are scans that the engine will never take, as lines. */
export type CommitReply = { ok: true; refused: string[] } | { ok: false; message: string }

let ledger: Ledger | undefined

/** Opened late and again after a failure: the database may not be there when this thread starts. */
function open(): Ledger {
  ledger ??= new Ledger(openLedger(workerData as Location))
  return ledger
}

async function commit(scans: Scan[]): Promise<string[]> {
  try {
    await open().commit(scans)
    return []
  } catch (error) {
    if (isDatabaseDown(error) || !isData(error)) throw error
    return commitWithout(scans)
  }
}

/** One scan that the engine cannot store must not keep the others out: the halves are tried apart. */
async function commitWithout(scans: Scan[]): Promise<string[]> {
  if (scans.length === 1) return [JSON.stringify(scans[0])]
  const middle = scans.length >> 1
  const refused = await commit(scans.slice(0, middle))
  return refused.concat(await commit(scans.slice(middle)))
}

/** SQLSTATE classes 22 (data exception) and 23 (constraint), and what SQLite calls them. */
function isData(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^(22|23)\w{3}$/.test(code) || /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(code)
}

parentPort?.on('message', async ({ scans }: CommitRequest) => {
  let reply: CommitReply
  try {
    reply = { ok: true, refused: await commit(JSON.parse(scans)) }
  } catch (error) {
    reply = { ok: false, message: (error as Error).message }
  }
  parentPort?.postMessage(reply)
})
