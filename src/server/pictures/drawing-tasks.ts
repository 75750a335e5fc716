import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Archive } from './archive.ts'
import type { Check } from './checks.ts'
import type { Picture } from './pictures.ts'

/** What a drawing thread can be asked for. */
export type DrawingTask =
  | { kind: 'picture'; picture: Picture }
  | { kind: 'archive'; archive: Archive }
  | { kind: 'check'; check: Check }

type Results = {
  picture: { bytes: Uint8Array; contentType: string }
  archive: { bytes: Uint8Array }
  check: Legibility
}

/** And what it answers to it. */
export type DrawingResult<Task extends DrawingTask> = Results[Task['kind']]

/** An error as it crosses between threads, which would keep neither its class nor its fields. */
export type DrawingFault = { name: string; message: string; stack: string | undefined }

export type DrawingReply =
  | { ok: true; result: DrawingResult<DrawingTask> }
  | { ok: false; fault: DrawingFault }
