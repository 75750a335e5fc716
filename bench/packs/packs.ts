/**
 * The cost of packs of scans for the folding thread, and how fast they are read, on SQLite:
 * `npm run bench -- packs [SCANS]`. It takes some minutes.
 */
import { readFileSync } from 'node:fs'
import { threadCpuUsage } from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { DAY_MS } from '#contract/time.ts'
import { FoldingLedger, openTables } from '../../src/server/analytics/store/fold/folding-ledger.ts'
import { foldScanOf, ScanKinds } from '../../src/server/analytics/store/fold-scan.ts'
import { setMark } from '../../src/server/analytics/store/ledger/marks.ts'
import { joinStep, packStep } from '../../src/server/analytics/store/packs/packing.ts'
import { ScanReader } from '../../src/server/analytics/store/packs/reader.ts'
import type { ScanPart } from '../../src/server/analytics/store/scans-store.ts'
import { PACKING } from '../../src/server/analytics/store/upkeep/upkeep.ts'
import { writeScans } from '../../src/server/analytics/store/write-scans.ts'
import type { WorkspaceId } from '../../src/server/database/ids.ts'
import { WorkThreads } from '../../src/server/work-threads.ts'
import { median, spread } from '../figures.ts'
import { newDatabase, scanMaker } from './pack-scans.ts'

const SCANS = Number(process.argv[3] ?? 820_000)
const FOLDED = 200_000
const DAYS = 30
const ROUNDS = 3
const variants = ['as it was', 'packed beside', 'all late', 'index by code'] as const

async function folding(variant: (typeof variants)[number], batch: number) {
  const { database, location, codeIds } = await newDatabase({ codes: 500, accounts: 20 })
  const { db } = database
  if (variant === 'index by code') {
    await db.schema.createIndex('by_code').on('scans').columns(['code_id', 'at']).execute()
  }
  if (variant === 'all late') await setMark(db, 'packed', Date.now(), '0')
  const makeScan = scanMaker(codeIds)
  const kinds = new ScanKinds()
  const keepRefused = () => {
    throw new Error('the database refuses a scan')
  }
  const ledger = new FoldingLedger({ open: () => openTables(location), keepRefused })
  const packs = new WorkThreads(PACKING)
  const start = Date.now() - 10 * 60_000
  const written = bytesWritten()
  let cpu = 0
  let packing: Promise<unknown> = Promise.resolve()
  for (let done = 0; done < FOLDED; done += batch) {
    const scans = Array.from({ length: batch }, (_, n) =>
      foldScanOf(makeScan(start + done + n), kinds),
    )
    const before = threadCpuUsage()
    await ledger.add(scans)
    const { user, system } = threadCpuUsage(before)
    cpu += user + system
    if (variant === 'packed beside' && done % 20_000 === 0) {
      await packing
      packing = packs.perform({ location, now: start + done + 121_000 })
    }
    await setImmediate()
  }
  await packing
  await packs.end()
  ledger.close()
  const sums = { cpu: cpu / FOLDED, bytes: (bytesWritten() - written) / FOLDED }
  await database.close()
  return sums
}

const bytesWritten = () => Number(/wchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

const { database, location, codeIds } = await newDatabase({ codes: 500, accounts: 1 })
const now = Math.floor(Date.now() / DAY_MS) * DAY_MS
const makeScan = scanMaker(codeIds)
for (let done = 0; done < SCANS; done += 20_000) {
  const count = Math.min(20_000, SCANS - done)
  const at = (n: number) => Math.floor(now - DAYS * DAY_MS * (1 - (done + n) / SCANS))
  await writeScans(
    location,
    Array.from({ length: count }, (_, n) => makeScan(at(n))),
  )
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  const start = performance.now()
  const answer = await work()
  return { ms: performance.now() - start, answer }
}
for (const step of [() => packStep(database, new Date(now + DAY_MS)), () => joinStep(database)]) {
  const took: number[] = []
  for (;;) {
    const { ms, answer } = await timed(step)
    if (!answer) break
    took.push(ms)
  }
  console.log(`${took.length} steps of ${spread(took)} ms`)
}
const stored = await database.db
  .selectFrom('scan_packs')
  .select(({ fn }) => fn.sum<number>(fn('length', ['data'])).as('bytes'))
  .executeTakeFirstOrThrow()
console.log(`${(stored.bytes / SCANS).toFixed(1)} bytes a scan`)

const asked = {
  workspaceId: 'account 0' as WorkspaceId,
  codeIds,
  from: now - DAYS * DAY_MS,
  to: now,
}
function count({ scans, begin, end, isAsked }: ScanPart) {
  const { code_id: code, country, device } = scans.columns
  const [germany, mobile] = [country.values.indexOf('DE'), device.values.indexOf('Mobile')]
  let sum = 0
  for (let row = begin; row < end; row++) {
    const isOne = country.of[row] === germany && device.of[row] === mobile
    if (isOne && isAsked[code.of[row] as number]) sum++
  }
  return sum
}
const [cold, warm]: [number[], number[]] = [[], []]
for (let round = 0; round < 10; round++) {
  const reader = new ScanReader(database)
  for (const times of [cold, warm]) times.push((await timed(() => reader.rows(asked, count))).ms)
}
console.log(`${SCANS} scans with two filters: ${spread(cold)} ms, then ${spread(warm)} ms`)
await database.close()

for (const batch of [500, 50]) {
  for (const variant of variants) {
    const sums = []
    for (let round = 0; round < ROUNDS; round++) sums.push(await folding(variant, batch))
    const cpu = spread(
      sums.map((each) => each.cpu),
      1,
    )
    const bytes = median(sums.map((each) => each.bytes))
    console.log(
      `${batch} a commit, ${variant}: CPU ${cpu} µs, ${bytes.toFixed(0)} B written a scan`,
    )
  }
}
