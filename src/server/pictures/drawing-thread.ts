import { getPriority, platform, setPriority } from 'node:os'
import { type MessagePort, parentPort } from 'node:worker_threads'
import { drawArchive } from './archive.ts'
import type { Check } from './checks.ts'
import type { DrawingFault, DrawingReply, DrawingResult, DrawingTask } from './drawing-tasks.ts'
import { drawPicture } from './pictures.ts'

/*
 * A thread that draws and checks, one task at a time. It loads the engine and nothing else: the
 * contract, with Zod, would cost each thread 6 MB and 30 ms at its start.
 */

const NICE = 10

// On Linux this is the priority of the calling thread alone; elsewhere it would be the whole server's.
if (platform() === 'linux') setPriority(Math.max(NICE, getPriority()))

function perform(task: DrawingTask): Promise<DrawingResult<DrawingTask>> {
  switch (task.kind) {
    case 'picture':
      return drawPicture(task.picture)
    case 'archive':
      return drawArchive(task.archive)
    case 'check':
      return check(task.check)
  }
}

/** Loaded when first asked for: the decoders take more memory than all the rest. */
async function check(task: Check) {
  const { checkLook } = await import('./checks.ts')
  return checkLook(task)
}

function faultOf(error: unknown): DrawingFault {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
  return { name, message, stack }
}

async function replyTo(task: DrawingTask): Promise<DrawingReply> {
  try {
    return { ok: true, result: await perform(task) }
  } catch (error) {
    return { ok: false, fault: faultOf(error) }
  }
}

/** A Buffer may share its memory with others. What has its own is moved to the other thread, not copied. */
function send(port: MessagePort, reply: DrawingReply) {
  if (!reply.ok || !('bytes' in reply.result)) return port.postMessage(reply)
  const bytes = new Uint8Array(reply.result.bytes)
  port.postMessage({ ok: true, result: { ...reply.result, bytes } }, [bytes.buffer])
}

parentPort?.on('message', async (task: DrawingTask) => {
  const reply = await replyTo(task)
  if (parentPort) send(parentPort, reply)
})
