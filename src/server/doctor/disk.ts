import { randomUUID } from 'node:crypto'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Finding, sayAll } from './finding.ts'

const MB = 1024 ** 2
const SCARCE_BYTES = 1024 * MB
const FULL_BYTES = 100 * MB
const SLOW_FLUSH_MS = 20

/** @throws if DATA_DIR cannot be written. @param probe in tests another disk */
export async function checkDisk(
  { dataDir, journalMax }: Pick<Config, 'dataDir' | 'journalMax'>,
  probe: typeof probeDisk = probeDisk,
): Promise<Finding[]> {
  const { freeBytes, flushMs } = await probe(dataDir)
  const isFull = freeBytes < FULL_BYTES
  const isScarce = !isFull && freeBytes < Math.max(SCARCE_BYTES, journalMax)
  const conditions = { full: isFull, scarce: isScarce, slow: flushMs > SLOW_FLUSH_MS }
  return sayAll('disk', conditions, { mb: Math.floor(freeBytes / MB), ms: flushMs.toFixed(1) })
}

const WRITES = 11
const WRITE_BYTES = 4096

/** Bytes that are free for this user, and the median time until a small write is on the disk. */
async function probeDisk(folder: string) {
  const { bavail, bsize } = await statfs(folder)
  const path = join(folder, `.doctor-${randomUUID()}`)
  const file = await open(path, 'wx', 0o600)
  try {
    const times: number[] = []
    for (let write = 0; write < WRITES; write++) {
      const began = performance.now()
      await file.write(Buffer.alloc(WRITE_BYTES))
      await file.datasync()
      times.push(performance.now() - began)
    }
    times.sort((one, other) => one - other)
    return { freeBytes: bavail * bsize, flushMs: times[Math.floor(WRITES / 2)] ?? 0 }
  } finally {
    await file.close()
    await rm(path)
  }
}
