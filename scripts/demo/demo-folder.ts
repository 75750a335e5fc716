import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Says that a folder is the demo's; written before all else, and once more when all is made. */
const MARK = 'demo.json'
const DATABASE = 'tessera.sqlite'

/** All that is in a folder while the demo is made: only this may ever be removed. */
const MADE = [
  new RegExp(`^${MARK}(\\.new)?$`),
  new RegExp(`^${DATABASE}(-wal|-shm|-journal)?$`),
  /^has-database$/,
  /^session-secret(\.[0-9a-f]{16})?$/,
]

/** Why there can be no demo, in one line. */
export class DemoRefused extends Error {}

/** When the demo in this folder was made; undefined where it is not there, or not all of it. */
export async function madeAt(folder: string): Promise<Date | undefined> {
  if (!existsSync(join(folder, DATABASE))) return undefined
  const mark = await readFile(join(folder, MARK), 'utf8').catch(() => '{}')
  const { made } = JSON.parse(mark) as { made?: string }
  return made === undefined ? undefined : new Date(made)
}

/**
 * Makes sure of an empty folder that is marked as the demo's. What a making left that was cut off
 * goes, and nothing else.
 * @throws DemoRefused where the folder holds anything that is not the demo's
 */
export async function takeFolder(folder: string): Promise<void> {
  const found = await listed(folder)
  const foreign = found.find((name) => !MADE.some((pattern) => pattern.test(name)))
  if (foreign !== undefined || (found.length > 0 && !isMarked(found))) {
    throw new DemoRefused(
      `DATA_DIR is ${folder}, which holds ${foreign ?? found[0]} and is not the demo's: choose another folder, or none for ./data/demo`,
    )
  }
  // The mark goes last: a folder without it is nobody's to clear.
  const others = found.filter((name) => name !== MARK)
  for (const name of others) await rm(join(folder, name))
  await writeMark(folder, {})
}

/** From now on the demo counts as made. */
export async function markMade(folder: string, now: Date): Promise<void> {
  await writeMark(folder, { made: now.toISOString() })
}

async function listed(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true }).catch(() => {})
  try {
    return await readdir(folder)
  } catch (error) {
    throw new DemoRefused(
      `DATA_DIR is ${folder}, which cannot be used: ${(error as Error).message}`,
    )
  }
}

const isMarked = (names: string[]) => names.some((name) => MADE[0]?.test(name))

/** The old mark or the new one is there, never a half. */
async function writeMark(folder: string, mark: { made?: string }): Promise<void> {
  const file = join(folder, MARK)
  await writeFile(`${file}.new`, `${JSON.stringify(mark)}\n`, { flush: true })
  await rename(`${file}.new`, file)
}
