import type { Legibility } from '#qr/scan-check/verdict.ts'
import { answerTasks } from '../threads/answer-tasks.ts'
import type { Check } from './checks.ts'
import { type Archive, drawArchive, drawPicture, type Picture } from './pictures.ts'

/* A thread that draws and checks, one task at a time. It loads the engine and nothing else. */

/** What a drawing thread can be asked for. */
export type DrawingTask =
  | { kind: 'picture'; picture: Picture }
  | { kind: 'archive'; archive: Archive }
  | { kind: 'check'; check: Check }

type Results = {
  picture: { bytes: Uint8Array<ArrayBuffer>; contentType: string }
  archive: { bytes: Uint8Array<ArrayBuffer> }
  check: Legibility
}

/** What it answers to each. */
export type DrawingResult<Task extends DrawingTask> = Results[Task['kind']]

function perform(task: DrawingTask): Promise<DrawingResult<DrawingTask>> {
  switch (task.kind) {
    case 'picture':
      return drawPicture(task.picture).then(withOwnMemory)
    case 'archive':
      return drawArchive(task.archive).then(withOwnMemory)
    case 'check':
      return check(task.check)
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

answerTasks(perform, (result) => ('bytes' in result ? [result.bytes.buffer] : []))
