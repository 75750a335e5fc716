import Sqlite from 'better-sqlite3'

/**
 * Pages in the write-ahead log at which a writer checkpoints in its own commit. checkpoints.ts does
 * it long before; this limits the log if it cannot.
 */
const BACKSTOP_PAGES = 64_000

/** Opens a SQLite file. `timeoutMs` is how long a statement waits for another writer's lock. */
export function openSqlite(
  file: string,
  { timeoutMs, readonly = false }: { timeoutMs: number; readonly?: boolean },
): Sqlite.Database {
  const handle = new Sqlite(file, { readonly, timeout: timeoutMs })
  // SQLite's own function handles only ASCII: a search for "äpfel" would miss "Äpfel".
  handle.function('lower', { deterministic: true }, (text) =>
    typeof text === 'string' ? text.toLowerCase() : text,
  )
  if (readonly) return handle
  handle.pragma('journal_mode = WAL')
  // With WAL's default of NORMAL, a power cut may lose the newest commits.
  handle.pragma('synchronous = FULL')
  // Removed rows are overwritten with zeros. It costs about one percent of the CPU of folding.
  handle.pragma('secure_delete = on')
  handle.pragma(`wal_autocheckpoint = ${BACKSTOP_PAGES}`)
  return handle
}
