/**
 * Pages in SQLite's write-ahead log at which a writer checkpoints in its own commit. checkpoints.ts
 * comes long before that; this bounds the log if it cannot.
 */
export const BACKSTOP_PAGES = 64_000
