import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Location } from '../../database/connect.ts'
import { isDatabaseDown } from '../../database/faults.ts'
import { Ledger } from '../ledger/ledger.ts'
import { openLedger } from '../ledger/ledger-connections.ts'
import { lineOf, type Scan, scanOf } from '../ledger/scan.ts'

/*
 * The recorder's own thread, with its own database handle: neither a held lock nor a slow disk
 * ever stops the thread that answers requests.
 */

/** Asks for a commit: the scans' lines as one JSON array. */
export type CommitRequest = { scans: string }
/** What became of it. `refused` are the lines of scans that the engine will never take. */
export type CommitReply =
  | { ok: true; commits: number; refused: string[] }
  | { ok: false; message: string }
/** One answer to all the requests that shared the transaction, which are the oldest ones. */
export type CommitAnswer = { requests: number; reply: CommitReply }

/** A transaction that has this many scans takes no further request. */
const SCANS_MAX = 2_000

const location = workerData as Location

let ledger: Ledger | undefined

/** Opens the ledger at the first commit and again after a failure: the database may be away when this thread starts. */
function open(): Ledger {
  if (ledger && !ledger.isUsable) drop()
  ledger ??= new Ledger(openLedger(location))
  return ledger
}

function drop() {
  ledger?.close()
  ledger = undefined
}

/** A commit can be repeated: if a new connection may help, we try once more before we report a failure. */
async function commitPatiently(scans: Scan[]): Promise<string[]> {
  try {
    return await commit(scans)
  } catch (error) {
    if (!mayPass(error)) throw error
    return commit(scans)
  }
}

/** The connection was lost, or PostgreSQL undid the transaction in favour of another one (class 40). */
function mayPass(error: unknown): boolean {
  if (location.engine === 'sqlite') return false
  const { code = '' } = error as { code?: string }
  return isDatabaseDown(error) || /^40\w{3}$/.test(code)
}

async function commit(scans: Scan[]): Promise<string[]> {
  try {
    await open().commit(scans)
    return []
  } catch (error) {
    if (isRefusal(error)) return commitHalves(scans)
    // Only a new connection is in a known state.
    drop()
    throw error
  }
}

/** One scan that the engine cannot store must not keep the others out: we try the halves separately. */
async function commitHalves(scans: Scan[]): Promise<string[]> {
  if (scans.length === 1) return scans.map(lineOf)
  const middle = scans.length >> 1
  const refused = await commit(scans.slice(0, middle))
  return refused.concat(await commit(scans.slice(middle)))
}

/** SQLSTATE classes 22 (data exception) and 23 (constraint), and what SQLite calls them. */
function isRefusal(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return /^(22|23)\w{3}$/.test(code) || /^SQLITE_(CONSTRAINT|MISMATCH|TOOBIG|RANGE)/.test(code)
}

const port = parentPort as MessagePort
const requests: string[] = []
let isWorking = false

/** A commit on SQLite blocks the event loop, so we fetch the requests that came during it here. */
function fetchRequests() {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
    requests.push((next.message as CommitRequest).scans)
  }
}

/** Takes the scans of the oldest requests, as many as one transaction may have. */
function takeRequests(): { taken: number; scans: Scan[] } {
  const scans: Scan[] = []
  let taken = 0
  while (taken < requests.length && scans.length < SCANS_MAX) {
    for (const values of JSON.parse(requests[taken] as string)) scans.push(scanOf(values))
    taken++
  }
  requests.splice(0, taken)
  return { taken, scans }
}

async function replyTo(scans: Scan[]): Promise<CommitReply> {
  try {
    return { ok: true, commits: 1, refused: await commitPatiently(scans) }
  } catch (error) {
    return { ok: false, message: (error as Error).message }
  }
}

async function work() {
  isWorking = true
  for (fetchRequests(); requests.length > 0; fetchRequests()) {
    const { taken, scans } = takeRequests()
    const reply = await replyTo(scans)
    port.postMessage({ requests: taken, reply } satisfies CommitAnswer)
  }
  isWorking = false
}

port.on('message', ({ scans }: CommitRequest) => {
  requests.push(scans)
  if (!isWorking) void work()
})
