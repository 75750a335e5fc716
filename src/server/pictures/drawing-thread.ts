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

function perform(task: DrawingTask): Promise<DrawingResult<DrawingTask>> {
  switch (task.kind) {
    case 'picture':
      return drawPicture(task.picture).then(withOwnMemory)
    case 'archive':
      return drawArchive(task.archive).then(withOwnMemory)
    case 'labels':
      return labels(task.page)
    case 'check':
      return check(task.check)
    case 'check-labels':
      return checkLabels(task.check)
  }
}

/** A Buffer may share its memory with others, which could not be moved. */
function withOwnMemory<Drawn extends { bytes: Uint8Array }>(drawn: Drawn) {
  return { ...drawn, bytes: new Uint8Array(drawn.bytes) }
}

/** Loaded when first asked for: the decoders take more memory than all the rest. */
async function check(task: Check) {
  const { checkLook } = await import('./checks.ts')
  return checkLook(task)
}

async function labels(page: LabelPage) {
  const { drawLabels } = await import('./labels.ts')
  return withOwnMemory(await drawLabels(page))
}

async function checkLabels(asked: LabelCheck) {
  const labels = await import('./labels.ts')
  return labels.checkLabels(asked)
}

serveTasks(perform, {
  movedOf: (result) => ('bytes' in result ? [result.bytes.buffer] : []),
})
