import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { WaitingMail } from './mails-store.ts'

/** Most files; the oldest are removed. */
const FILES_MAX = 1_000

/** Writes a mail as an .eml file, which mail programs open. Its name begins with its instant. */
export async function putInOutbox(dataDir: string, mail: WaitingMail, message: Buffer) {
  const folder = join(dataDir, 'outbox')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const instant = new Date(mail.created_at).toISOString().replaceAll(':', '-')
  const file = join(folder, `${instant}-${mail.kind}-${mail.id}.eml`)
  // It gets its name when it is complete: a reader never finds half a mail.
  await writeFile(`${file}.part`, message, { mode: 0o600 })
  await rename(`${file}.part`, file)
  const files = (await readdir(folder)).sort()
  const surplus = files.slice(0, Math.max(0, files.length - FILES_MAX))
  await Promise.all(surplus.map((name) => rm(join(folder, name), { force: true })))
}
