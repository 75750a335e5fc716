import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { openInbox } from '../../store/open-inbox.ts'
import { keepDamaged, keepRefusedScans, recycle } from '../journal/journal-directory.ts'
import { folderOf } from './folder.ts'
import {
  DAMAGED_BYTES,
  type FoldingNews,
  type FoldingOrder,
  type FoldingStart,
  type JournalPlace,
} from './folding-messages.ts'
import { Gathering } from './gathering.ts'
import { JournalFold } from './journal-fold.ts'
import type { Damage } from './journal-reader.ts'

/* Thread entry: folds journals into the database, on its own handle. */

const { location, dataDir, own, state, counts } = workerData as FoldingStart
const port = parentPort as MessagePort
/** The main thread answers redirects, so it hears of scans only four times a second, of some codes. */
const scanned = new Gathering({
  everyMs: 250,
  codesMax: 5_000,
  tell: (codes) => port.postMessage({ scanned: codes } satisfies FoldingNews),
})
const tell = (news: FoldingNews) => {
  if ('stopped' in news) scanned.flush()
  port.postMessage(news)
}

const ledger = await openInbox(location, {
  onFolded: (codes) => scanned.add(codes),
  keepRefused: (scans) => keepRefusedScans(dataDir, scans),
})

const noteDamage = (journal: JournalPlace) => (damage: Damage) => {
  counts[DAMAGED_BYTES] = (counts[DAMAGED_BYTES] ?? 0) + damage.bytes
  const kept = keepDamaged(journal.folder, damage.segment)
  tell({ damaged: { ...damage, journal: journal.id, kept } })
}

const folder = folderOf({
  ledger,
  state,
  counts,
  tell,
  own: new JournalFold(own, {
    ledger,
    onDamage: noteDamage(own),
    recycle: (segment) => recycle(own.folder, segment),
  }),
})

port.on('message', (order: FoldingOrder) => {
  if ('take' in order) {
    folder.take(new JournalFold(order.take, { ledger, onDamage: noteDamage(order.take) }))
  } else if ('until' in order) folder.catchUp(order.until)
  else if ('stop' in order) folder.stop()
  else folder.wake()
})
folder.wake()
