import { existsSync, statfsSync } from 'node:fs'

const FOLDER = '/dev/shm'
const ROOMY_BYTES = 2 ** 30

/** A folder in memory, where there is room; a container's own often holds 64 MB. */
export function sharedMemory(): string | null {
  if (!existsSync(FOLDER)) return null
  const { bavail, bsize } = statfsSync(FOLDER)
  return bavail * bsize > ROOMY_BYTES ? FOLDER : null
}
