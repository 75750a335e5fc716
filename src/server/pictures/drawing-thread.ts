import { getPriority, platform, setPriority } from 'node:os'
import { type MessagePort, parentPort } from 'node:worker_threads'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Check } from './checks.ts'
import { type Archive, drawArchive, drawPicture, type Picture } from './pictures.ts'

/*
 * A thread that draws and checks, one task at a time. It loads the engine and nothing else: the
 * contract, with Zod, would cost each thread 6 MB and 30 ms at its start.
 */

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

/** What it answers to each. */
export type DrawingResult<Task extends DrawingTask> = Results[Task['kind']]

/** An error as it crosses between threads, which keeps neither its class nor its fields. */
export type DrawingFault = { name: string; message: string; stack: string | undefined }

export type DrawingReply =
  | { ok: true; result: DrawingResult<DrawingTask> }
  | { ok: false; fault: DrawingFault }

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

async function replyTo(task: DrawingTask): Promise<DrawingReply> {
  try {
    return { ok: true, result: await perform(task) }
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    return { ok: false, fault: { name, message, stack } }
  }
}

/** A Buffer may share its memory with others. Bytes with memory of their own are moved, not copied. */
function send(port: MessagePort, reply: DrawingReply) {
  if (!reply.ok || !('bytes' in reply.result)) return port.postMessage(reply)
  const bytes = new Uint8Array(reply.result.bytes)
  port.postMessage({ ok: true, result: { ...reply.result, bytes } }, [bytes.buffer])
}

parentPort?.on('message', async (task: DrawingTask) => {
  const reply = await replyTo(task)
  if (parentPort) send(parentPort, reply)
})
