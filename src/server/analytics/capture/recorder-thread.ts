import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Location } from '../../database/connect.ts'
import { isDatabaseDown } from '../../database/faults.ts'
import { Ledger } from '../ledger/ledger.ts'
import { openLedger } from '../ledger/ledger-connections.ts'
import type { Scan } from '../ledger/scan.ts'

/*
 * The recorder's own thread, with a database handle of its own: neither a held lock nor a slow
 * disk ever stops the thread that answers redirects.
 */

/** Asks for a commit: scans as a JSON array of arrays. */
export type CommitRequest = { scans: string }
/** What became of it. `refused` are scans that the engine will never take, as lines. */
export type CommitReply =
  | { ok: true; commits: number; refused: string[] }
  | { ok: false; message: string }
/** One answer to as many requests, in the order of asking, as shared the transaction. */
export type CommitAnswer = { requests: number; reply: CommitReply }

/** Scans in one transaction, about: no further request joins beyond. */
const SCANS_MAX = 2_000

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

const port = parentPort as MessagePort
const asked: string[] = []
let isAtWork = false

/** A commit on SQLite leaves no turn to the event loop: what has come meanwhile is fetched here. */
function fetchAsked() {
  for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
    asked.push((next.message as CommitRequest).scans)
  }
}

function takeAsked(): { requests: number; scans: Scan[] } {
  const scans: Scan[] = []
  let requests = 0
  while (requests < asked.length && scans.length < SCANS_MAX) {
    for (const scan of JSON.parse(asked[requests] as string) as Scan[]) scans.push(scan)
    requests++
  }
  asked.splice(0, requests)
  return { requests, scans }
}

async function replyTo(scans: Scan[]): Promise<CommitReply> {
  try {
    return { ok: true, commits: 1, refused: await commitPatiently(scans) }
  } catch (error) {
    return { ok: false, message: (error as Error).message }
  }
}

async function work() {
  isAtWork = true
  for (fetchAsked(); asked.length > 0; fetchAsked()) {
    const { requests, scans } = takeAsked()
    const reply = await replyTo(scans)
    port.postMessage({ requests, reply } satisfies CommitAnswer)
  }
  isAtWork = false
}

port.on('message', ({ scans }: CommitRequest) => {
  asked.push(scans)
  if (!isAtWork) void work()
})
