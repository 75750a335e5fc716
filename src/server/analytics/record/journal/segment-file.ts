import {
  closeSync,
  constants,
  existsSync,
  fdatasyncSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { isMissing, SPARE, syncFolder } from './journal-directory.ts'
import { segmentFile } from './layout.ts'

const { O_CREAT, O_RDWR, O_TRUNC } = constants
const OWNER = 0o600
const STEP_BYTES = 256 << 10
const UNFINISHED_SPARE = 'spare.part'

/** The file of a segment: the one that is there, or else the spare, or else a new one that grows. */
function openSegment(folder: string, segment: number): number {
  const path = join(folder, segmentFile(segment))
  if (!existsSync(path)) {
    try {
      renameSync(join(folder, SPARE), path)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
  return openSync(path, O_RDWR | O_CREAT, OWNER)
}

function writeAll(fd: number, bytes: Uint8Array, offset: number) {
  let done = 0
  while (done < bytes.length) done += writeSync(fd, bytes, done, bytes.length - done, offset + done)
}

/** The segment that the journal thread writes. */
export class SegmentFile {
  readonly #folder: string
  #segment: number | undefined
  #fd: number | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The bytes are on disk when it returns. */
  write(segment: number, offset: number, bytes: Uint8Array) {
    const fd = segment === this.#segment && this.#fd !== undefined ? this.#fd : this.#open(segment)
    writeAll(fd, bytes, offset)
    fdatasyncSync(fd)
  }

  /** After a failed sync the kernel may have dropped what was written: open the file again. */
  close() {
    const fd = this.#fd
    this.#fd = undefined
    if (fd !== undefined) closeSync(fd)
  }

  #open(segment: number): number {
    this.close()
    const fd = openSegment(this.#folder, segment)
    this.#fd = fd
    this.#segment = segment
    // A power cut must not take the name of what is on disk.
    syncFolder(this.#folder)
    return fd
  }
}

/**
 * The file that becomes the next segment. It has its place on disk before it is needed, so that a
 * sync need not find one, and a full disk does not stop the journal at once.
 */
export class Spare {
  readonly #folder: string
  readonly #bytes: number
  readonly #step: Buffer
  #fd: number | undefined
  #done = 0
  isWanted = false

  /** @param bytes of a segment */
  constructor(folder: string, bytes: number) {
    this.#folder = folder
    this.#bytes = bytes
    this.#step = Buffer.alloc(Math.min(STEP_BYTES, bytes))
  }

  /** Asks for one, if there is none. */
  want() {
    this.isWanted ||= !existsSync(join(this.#folder, SPARE))
  }

  /** A piece of the work, about a millisecond. If it fails, no spare is made until `want`. */
  step() {
    try {
      this.#fd ??= openSync(this.#unfinished, O_RDWR | O_CREAT | O_TRUNC, OWNER)
      const left = Math.min(this.#step.length, this.#bytes - this.#done)
      writeAll(this.#fd, this.#step.subarray(0, left), this.#done)
      fdatasyncSync(this.#fd)
      this.#done += left
      if (this.#done < this.#bytes) return
      this.#end()
      // Meanwhile one may have been given back, whose bytes have been in use.
      this.want()
      if (this.isWanted) renameSync(this.#unfinished, join(this.#folder, SPARE))
      else rmSync(this.#unfinished)
      this.isWanted = false
    } catch {
      this.#end()
      // A disk that is full needs each byte.
      rmSync(this.#unfinished, { force: true })
    }
  }

  get #unfinished() {
    return join(this.#folder, UNFINISHED_SPARE)
  }

  #end() {
    this.isWanted = false
    this.#done = 0
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }
}
