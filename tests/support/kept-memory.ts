import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto'
import { Server, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BroadcastChannel, isMainThread, threadId, type Worker } from 'node:worker_threads'

/*
 * A server whose memory is measured preloads this. GET /kept-memory collects the garbage of all its
 * threads and answers how many bytes each of them keeps, by its number. Passwords cost next to nothing.
 */

/** Bytes of each thread, and of the whole process, for what is kept outside of JavaScript too. */
export type Kept = { threads: Record<number, number>; resident: number }

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function kept(): Kept['threads'] {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return { [threadId]: heapUsed + external }
}

const questions = new BroadcastChannel('kept-memory')
const answers = new BroadcastChannel('kept-memory-answers')
questions.unref()
answers.unref()

type Scrypt = (
  password: BinaryLike,
  salt: BinaryLike,
  length: number,
  cost: ScryptOptions,
  ...rest: never[]
) => unknown
const quick = (scrypt: Scrypt): Scrypt => {
  return (password, salt, length, _cost, ...rest) =>
    scrypt(password, salt, length, { N: 2, r: 1, p: 1 }, ...rest)
}
Object.assign(crypto, {
  scrypt: quick(crypto.scrypt as unknown as Scrypt),
  scryptSync: quick(crypto.scryptSync as unknown as Scrypt),
})
syncBuiltinESMExports()

if (isMainThread) answerRequests()
else questions.onmessage = () => answers.postMessage(kept())

function answerRequests() {
  const workers = new Set<Worker>()
  let tell = () => {}
  process.on('worker', (worker) => {
    // It sleeps until there is something to write, and hears no question.
    if (worker.threadName === 'journal') return
    workers.add(worker)
    worker.once('exit', () => {
      workers.delete(worker)
      tell()
    })
  })

  function keptByAll(): Promise<Kept> {
    const all: Kept['threads'] = {}
    return new Promise((resolve) => {
      const ask = () => questions.postMessage('')
      // A thread that is just starting hears no question: it is asked once more.
      const again = setInterval(ask, 500)
      tell = () => {
        if (![...workers].every(({ threadId: thread }) => thread in all)) return
        clearInterval(again)
        tell = () => {}
        resolve({ threads: { ...all, ...kept() }, resident: process.memoryUsage.rss() })
      }
      answers.onmessage = ({ data }) => {
        Object.assign(all, data)
        tell()
      }
      ask()
      tell()
    })
  }

  const { emit } = Server.prototype
  Server.prototype.emit = function (event: string | symbol, ...args: unknown[]) {
    const [request, response] = args as [{ url?: string }?, ServerResponse?]
    if (event !== 'request' || request?.url !== '/kept-memory' || !response) {
      return emit.apply(this, [event, ...args] as Parameters<typeof emit>)
    }
    keptByAll().then((all) => response.end(JSON.stringify(all)))
    return true
  }
}
