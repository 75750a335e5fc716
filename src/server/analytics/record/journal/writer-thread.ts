import { parentPort, workerData } from 'node:worker_threads'
import { SegmentFile, Spare } from './segment-file.ts'
import {
  COMMAND,
  DONE,
  ORDER,
  PLACE,
  STOP,
  type WriterThreadData,
  type WriterThreadMessage,
} from './shared-memory.ts'

/*
 * Thread entry: writes what the main thread orders, and has it on disk before it says so. Between
 * orders it makes the spare segment.
 */

const { folder, memory, control, segmentBytes } = workerData as WriterThreadData
/** As long as the folding thread gives no segment back before this part of the next, we make one. */
const SPARE_FROM = segmentBytes / 4
/** In units of the work. */
const RESTS = 4
const bytes = Buffer.from(memory)
const file = new SegmentFile(folder)
const spare = new Spare(folder, segmentBytes)
const word = (index: number) => Atomics.load(control, index)
const tell = (message: WriterThreadMessage) => parentPort?.postMessage(message)

function carryOut(): string | undefined {
  try {
    const [from = 0, length = 0, segment = 0, offset = 0] = control.subarray(PLACE)
    file.write(segment, offset, bytes.subarray(from, from + length))
    return undefined
  } catch (error) {
    file.close()
    return (error as Error).message
  }
}

/** One look at the folder a segment, when its first quarter is full. */
let lookedIn = -1
function lookForSpare() {
  const [segment = 0, offset = 0] = control.subarray(PLACE + 2)
  if (segment === lookedIn || offset < SPARE_FROM) return
  lookedIn = segment
  spare.want()
}

/** After a piece of the spare the disk rests, so that it costs an order little, however slow it is. */
let restUntil = 0
function makeSpare() {
  const begun = performance.now()
  spare.step()
  const ended = performance.now()
  restUntil = ended + RESTS * (ended - begun)
}

let order = 0
tell('ready')
spare.want()
for (;;) {
  while (word(ORDER) === order) {
    const rest = spare.isWanted ? restUntil - performance.now() : Number.POSITIVE_INFINITY
    if (rest <= 0) makeSpare()
    else Atomics.wait(control, ORDER, order, rest)
  }
  order = word(ORDER)
  if (word(COMMAND) === STOP) break
  const error = carryOut()
  Atomics.store(control, DONE, order)
  tell({ error })
  lookForSpare()
}
file.close()
