/*
 * The words of memory by which the main thread orders a write from the journal thread. The main
 * thread fills in the order, then counts ORDER up and wakes the thread; the thread sets DONE to it
 * when the write has ended, well or not, and then sends a message.
 */
export const ORDER = 0
export const DONE = 1
export const COMMAND = 2
/** From here on: where its bytes begin, how many they are, their segment, and their offset in it */
export const PLACE = 3
export const CONTROL_WORDS = 7

export const WRITE = 1
export const STOP = 2

export type WriterThreadData = {
  folder: string
  /** Where the bytes of an order lie. */
  memory: SharedArrayBuffer
  control: Int32Array
  segmentBytes: number
}

/** `ready` once; then an answer to each order, with why it failed. */
export type WriterThreadMessage = 'ready' | { error: string | undefined }

/**
 * The main thread's and the folding thread's news about this process's journal.
 * `positions`, packed as layout.ts says, each written by one thread only. `flags[SLEEPING]` is 1
 * while the folding thread waits to be woken.
 */
export type JournalState = { positions: BigInt64Array; flags: Int32Array }

/** Up to here the journal is on disk: the main thread says so. */
export const DURABLE = 0
/** Up to here it is in the database: the folding thread says so. */
export const FOLDED = 1
/** Bytes of taken-over journals that are not in the database yet: the folding thread says so. */
export const TAKEN_OVER_BYTES = 2
/** The instant of the last scan that is in the database, in epoch ms: the folding thread says so. */
export const FOLDED_AT = 3
/**
 * All scans of taken-over journals before this instant are in the database, in epoch ms; 0 if there are none, or it is
 * not known: the folding thread says so.
 */
export const TAKEN_OVER_AT = 4
const POSITIONS = 5

export const SLEEPING = 0

/** @param beginning where the journal begins, packed */
export function newJournalState(beginning: bigint): JournalState {
  const positions = new BigInt64Array(new SharedArrayBuffer(POSITIONS * 8))
  positions[DURABLE] = beginning
  positions[FOLDED] = beginning
  return { positions, flags: new Int32Array(new SharedArrayBuffer(4)) }
}
