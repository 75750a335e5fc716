/**
 * A server of the bench `neighbours` loads this before its own modules. It counts redirects and the
 * CPU that they take on the main thread, and answers GET /redirect-cpu with both.
 */
import { Server, type ServerResponse } from 'node:http'
import { isMainThread } from 'node:worker_threads'

const seen = { redirects: 0, micros: 0 }

function micros(): number {
  // Linux brings the thread's figure up to date at its ticks only (4 ms), but also where the process's is asked for.
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return user + system
}

let isCounting = false

/** Counts what `work` takes until it returns, once where it calls itself. */
function counted<T>(work: () => T): T {
  if (isCounting) return work()
  isCounting = true
  const before = micros()
  try {
    return work()
  } finally {
    seen.micros += micros() - before
    isCounting = false
  }
}

/** The redirect is written when its scan is on disk, long after its request was handled. */
function countAnswer(response: ServerResponse) {
  const { writeHead, end } = response
  response.writeHead = (...args: unknown[]) =>
    counted(() => writeHead.apply(response, args as Parameters<typeof writeHead>))
  response.end = (...args: unknown[]) => {
    if (response.statusCode === 302) seen.redirects++
    return counted(() => end.apply(response, args as unknown as Parameters<typeof end>))
  }
}

if (isMainThread) {
  const { emit } = Server.prototype
  Server.prototype.emit = function (event: string | symbol, ...args: unknown[]) {
    const pass = () => emit.apply(this, [event, ...args] as Parameters<typeof emit>)
    if (event !== 'request') return pass()
    const [request, response] = args as [{ url: string }, ServerResponse]
    if (request.url === '/redirect-cpu') {
      response.end(JSON.stringify(seen))
      return true
    }
    // The unknown codes of the attack have longer names than those of the bench.
    if (!/^\/qr\/.{7}$/.test(request.url)) return pass()
    countAnswer(response)
    return counted(pass)
  }
}
