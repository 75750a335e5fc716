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

const location = workerData as Location

let ledger: Ledger | undefined

/** Opened late and again after a failure: the database may not be there when this thread starts. */
function open(): Ledger {
  if (ledger && !ledger.isUsable) drop()
  ledger ??= new Ledger(openLedger(location))
  return ledger
}

function drop() {
  ledger?.close()
  ledger = undefined
}

/** A commit can be repeated, so what a new connection may cure is tried once more before anyone waits. */
async function commitPatiently(scans: Scan[]): Promise<string[]> {
  try {
    return await commit(scans)
  } catch (error) {
    if (!isPassing(error)) throw error
    return commit(scans)
  }
}

/** A connection lost while idle or under way, or a transaction undone for another's sake (class 40). */
function isPassing(error: unknown): boolean {
  if (location.engine === 'sqlite') return false
  const { code = '' } = error as { code?: string }
  return isDatabaseDown(error) || /^40\w{3}$/.test(code)
}

async function commit(scans: Scan[]): Promise<string[]> {
  try {
    await open().commit(scans)
    return []
  } catch (error) {
    if (isData(error)) return commitWithout(scans)
    // Only a new connection is in a known state.
    drop()
    throw error
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
    reply = { ok: true, refused: await commitPatiently(JSON.parse(scans)) }
  } catch (error) {
    reply = { ok: false, message: (error as Error).message }
  }
  parentPort?.postMessage(reply)
})
