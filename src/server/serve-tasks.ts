import { getPriority, platform, setPriority } from 'node:os'
import { parentPort, type Transferable } from 'node:worker_threads'

/*
 * The inside of a thread that work-threads.ts starts. A thread's program loads only what its tasks
 * need: the contract, with Zod, would cost each thread 6 MB and 30 ms at its start.
 */

/** An error as it crosses between threads, which keeps neither its class nor its other fields. */
export type Fault = { name: string; message: string; stack?: string; code?: string }

export type Reply<Result> = { ticket: number } & ({ result: Result } | { fault: Fault })

type ServeOptions<Result> = {
  /** The memory in a result that is moved to the asking thread instead of copied */
  movedOf?: (result: Result) => Transferable[]
  /** Whether the thread runs after others if there are not enough cores */
  isLowPriority?: boolean
}

/** Performs this thread's tasks, at low priority by default, so that they delay no redirect. */
export function serveTasks<Task, Result>(
  perform: (task: Task) => Result | Promise<Result>,
  { movedOf = () => [], isLowPriority = true }: ServeOptions<Result> = {},
) {
  if (isLowPriority) lowerPriority()
  parentPort?.on('message', async ({ ticket, task }: { ticket: number; task: Task }) => {
    try {
      const result = await perform(task)
      parentPort?.postMessage({ ticket, result }, movedOf(result))
    } catch (error) {
      parentPort?.postMessage({ ticket, fault: faultOf(error) })
    }
  })
}

function faultOf(error: unknown): Fault {
  const { name, message, stack, code } = (
    error instanceof Error ? error : new Error(String(error))
  ) as Error & { code?: string }
  return { name, message, ...(stack && { stack }), ...(typeof code === 'string' && { code }) }
}

const NICE = 10

/** Gives the calling thread low priority, so that it holds up no redirect. */
function lowerPriority() {
  // On Linux this is the priority of the calling thread alone; elsewhere it would be the whole server's.
  if (platform() === 'linux') setPriority(Math.max(NICE, getPriority()))
}
