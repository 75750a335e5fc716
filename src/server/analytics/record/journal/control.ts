/*
 * The words of memory by which the main thread orders a write from the journal thread. The main
 * thread fills in the order, then counts ORDER up and wakes the thread; the thread sets DONE to it
 * when the write has ended, well or not, and then sends a message.
 */
export const ORDER = 0
export const DONE = 1
export const COMMAND = 2
export const FROM = 3
export const BYTES = 4
export const SEGMENT = 5
export const OFFSET = 6
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
