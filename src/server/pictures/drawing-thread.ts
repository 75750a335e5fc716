import type { SheetPage } from '#qr/formats/pdf-sheet.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import { serveTasks } from '../work-threads.ts'
import type { Check } from './checks.ts'
import type { LabelCheck, LabelFault, LabelPage } from './labels.ts'
import { type Archive, drawArchive, drawPicture, type Picture } from './pictures.ts'

/* A thread that draws and checks, one task at a time. It loads the engine and nothing else. */

/** A task of a drawing thread */
export type DrawingTask =
  | { kind: 'picture'; picture: Picture }
  | { kind: 'archive'; archive: Archive }
  | { kind: 'labels'; page: LabelPage }
  | { kind: 'check'; check: Check }
  | { kind: 'check-labels'; check: LabelCheck }

type Results = {
  picture: { bytes: Uint8Array<ArrayBuffer>; contentType: string }
  archive: { bytes: Uint8Array<ArrayBuffer> }
  labels: { bytes: Uint8Array<ArrayBuffer> } & Omit<SheetPage, 'content'>
  check: Legibility
  'check-labels': (LabelFault | null)[]
}

/** The result of each task */
export type DrawingResult<Task extends DrawingTask> = Results[Task['kind']]

/** Decoders and labels are loaded when first asked for: they take more memory than all the rest. */
async function perform(task: DrawingTask): Promise<DrawingResult<DrawingTask>> {
  switch (task.kind) {
    case 'picture':
      return withOwnMemory(await drawPicture(task.picture))
    case 'archive':
      return withOwnMemory(await drawArchive(task.archive))
    case 'labels':
      return withOwnMemory(await (await import('./labels.ts')).drawLabels(task.page))
    case 'check':
      return (await import('./checks.ts')).checkLook(task.check)
    case 'check-labels':
      return (await import('./labels.ts')).checkLabels(task.check)
  }
}

/** A Buffer may share its memory with others, which could not be moved. */
function withOwnMemory<Drawn extends { bytes: Uint8Array }>(drawn: Drawn) {
  return { ...drawn, bytes: new Uint8Array(drawn.bytes) }
}

serveTasks(perform, {
  movedOf: (result) => ('bytes' in result ? [result.bytes.buffer] : []),
})
