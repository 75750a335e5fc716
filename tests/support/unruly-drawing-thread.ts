import { parentPort } from 'node:worker_threads'
import type { DrawingTask } from '../../src/server/pictures/drawing-thread.ts'
import '../../src/server/pictures/drawing-thread.ts'
import { BREAKS, HANGS } from './unruly-looks.ts'

function colourOf(task: DrawingTask): string | undefined {
  if (task.kind === 'archive') return task.archive.pictures[0]?.foreground
  if (task.kind === 'check') return task.check.design.foreground
  return task.kind === 'picture' ? task.picture.foreground : undefined
}

const never = new Int32Array(new SharedArrayBuffer(4))

// Before the real thread's answer, which takes a turn of the event loop that never comes.
parentPort?.on('message', ({ task }: { task: DrawingTask }) => {
  if (colourOf(task) === BREAKS) throw new Error('broken')
  if (colourOf(task) === HANGS) Atomics.wait(never, 0, 0)
})
