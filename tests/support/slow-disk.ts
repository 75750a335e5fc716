import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

/*
 * A server preloads this, and its threads with it. While the file SLOW_DISK is there, each sync of the
 * journal's thread takes as many milliseconds longer as it says.
 */
const file = process.env.SLOW_DISK
const { fdatasyncSync, readFileSync } = fs
const clock = new Int32Array(new SharedArrayBuffer(4))

function delay(): number {
  try {
    return Number(readFileSync(file as string, 'utf8'))
  } catch {
    return 0
  }
}

if (file) {
  fs.fdatasyncSync = (fd: number) => {
    fdatasyncSync(fd)
    Atomics.wait(clock, 0, 0, delay())
  }
  syncBuiltinESMExports()
}
