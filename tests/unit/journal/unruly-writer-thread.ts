import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/*
 * The journal thread on a bad disk: each third sync fails, and what was written since then is gone, as
 * after a kernel's EIO; with `?dies` the thread ends in place of that.
 */

const dies = import.meta.url.endsWith('?dies')
const { fdatasyncSync, writeSync } = fs
let last: { fd: number; offset: number; bytes: number } | undefined
let syncs = 0

fs.writeSync = ((fd: number, bytes: Uint8Array, from: number, length: number, offset: number) => {
  last = { fd, offset, bytes: length }
  return writeSync(fd, bytes, from, length, offset)
}) as typeof fs.writeSync

fs.fdatasyncSync = (fd: number) => {
  syncs++
  if (syncs % 3 !== 0) return fdatasyncSync(fd)
  if (last) writeSync(last.fd, Buffer.alloc(last.bytes), 0, last.bytes, last.offset)
  // Ends this thread alone.
  if (dies) process.exit(1)
  throw new Error('EIO: i/o error, fdatasync')
}
syncBuiltinESMExports()

await import('../../../src/server/analytics/record/journal/writer-thread.ts')
