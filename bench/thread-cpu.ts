import { readdirSync, readFileSync } from 'node:fs'
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

/** Linux gives these times in hundredths of a second. */
const MICROS_PER_TICK = 10_000

/** Microseconds of CPU that a process and all its children have had, those included that have ended. */
export function familyCpu(pid: number): number {
  let ticks = 0
  for (const each of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = statOf(each)
    // proc(5): utime and stime are fields 14 and 15, those of ended children 16 and 17, the parent is 4.
    const ofOwn = Number(fields[11]) + Number(fields[12])
    if (Number(each) === pid) ticks += ofOwn + Number(fields[13]) + Number(fields[14])
    else if (Number(fields[1]) === pid) ticks += ofOwn
  }
  return ticks * MICROS_PER_TICK
}

/** The fields of a process from the third on; none when it has just ended. */
function statOf(pid: string): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
