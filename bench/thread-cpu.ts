import { readdir, readFile } from 'node:fs/promises'

/** Microseconds of CPU that each thread of a process has had, by its name. */
export async function threadCpu(pid: number): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  const folder = `/proc/${pid}/task`
  for (const task of await readdir(folder).catch(() => [])) {
    // A thread may end while we read.
    const [name, times] = await Promise.all([
      readFile(`${folder}/${task}/comm`, 'utf8'),
      readFile(`${folder}/${task}/schedstat`, 'utf8'),
    ]).catch(() => ['', ''])
    if (!name) continue
    const label = task === `${pid}` ? 'main' : nameOf(name.trim())
    sums.set(label, (sums.get(label) ?? 0) + Number(times?.split(' ')[0]) / 1_000)
  }
  return sums
}

/** V8's and libuv's helpers are shown as one. */
function nameOf(name: string): string {
  return /^(V8Worker|libuv-worker|node-|SignalInspector|DelayedTask)/.test(name) ? 'helpers' : name
}

/** Each thread's CPU between two looks. */
export function cpuBetween(before: Map<string, number>, after: Map<string, number>) {
  return new Map([...after].map(([name, sum]) => [name, sum - (before.get(name) ?? 0)]))
}
