import { parentPort, type Transferable } from 'node:worker_threads'
import { lowerPriority } from './priority.ts'

/*
 * The inside of a thread that work-thread.ts starts. A thread's program loads only what its tasks
 * need: the contract, with Zod, would cost each thread 6 MB and 30 ms at its start.
 */

/** An error as it crosses between threads, which keeps neither its class nor its fields. */
export type Fault = { name: string; message: string; stack: string | undefined }

export type Reply<Result> = { ok: true; result: Result } | { ok: false; fault: Fault }

/**
 * Answers this thread's tasks, at low priority, so that they hold up no redirect.
 * @param movedOf the memory in a result that is moved to the asking thread instead of copied
 */
export function serveTasks<Task, Result>(
  perform: (task: Task) => Result | Promise<Result>,
  movedOf: (result: Result) => Transferable[] = () => [],
) {
  lowerPriority()
  parentPort?.on('message', async (task: Task) => {
    const reply = await replyTo(perform, task)
    parentPort?.postMessage(reply, reply.ok ? movedOf(reply.result) : [])
  })
}

async function replyTo<Task, Result>(
  perform: (task: Task) => Result | Promise<Result>,
  task: Task,
): Promise<Reply<Result>> {
  try {
    return { ok: true, result: await perform(task) }
  } catch (error) {
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error))
    return { ok: false, fault: { name, message, stack } }
  }
}
