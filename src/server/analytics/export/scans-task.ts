import type { Location } from '../../database/connect.ts'
import type { Offset } from '../../dates.ts'
import type { Wanted } from '../query/count-task.ts'

/** What a row says of its code. */
export type NamedCode = { id: string; name: string; link: string }

/** Some rows of the table: those of a UTC day, or of a part of it. */
export type ScansTask = Wanted & {
  location: Location
  userId: string
  /** The codes as JSON. All tasks of one table share the memory, and `table` tells tables apart. */
  codes: SharedArrayBuffer
  table: string
  /** Of the zone in which times are written */
  offsets: Offset[]
  /** Epoch milliseconds, within one UTC day */
  from: number
  to: number
}

/** `text` has whole lines of the scans from `from` up to but not including `next`. */
export type ScansAnswer = { text: Uint8Array; next: number }
