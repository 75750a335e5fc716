import { setTimeout as sleep } from 'node:timers/promises'
import type { ServerProcess } from '../tests/support/process.ts'
import { median } from './figures.ts'
import { type Load, type LoadOptions, load } from './load.ts'
import { cpuBetween, threadCpu } from './thread-cpu.ts'

const CATCH_UP_LIMIT_MS = 60_000

/** `cpu` is microseconds of each thread for one scan; `caughtUpMs` is how long after the burst all scans counted. */
export type Burst = Load & { cpu: Map<string, number>; caughtUpMs: number }

/** The server's counters and gauges by name. */
export async function counters({ origin }: ServerProcess): Promise<Record<string, number>> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Object.fromEntries(
    [...text.matchAll(/^(tessera_\w+) (\d+)$/gm)].map(([, name, value]) => [name, Number(value)]),
  )
}

/** Waits until all scans are counted, and returns how many milliseconds that took. */
export async function caughtUp(tessera: ServerProcess): Promise<number> {
  const since = performance.now()
  while (performance.now() - since < CATCH_UP_LIMIT_MS) {
    if ((await counters(tessera)).tessera_scans_waiting === 0) break
    await sleep(5)
  }
  return performance.now() - since
}

/** Sends scans for some seconds, and measures what each costs. */
export async function burst(
  tessera: ServerProcess,
  options: Omit<LoadOptions, 'origin'>,
): Promise<Burst> {
  const pid = tessera.child.pid as number
  const [cpuBefore, before] = [await threadCpu(pid), await counters(tessera)]
  const answered = await load({ origin: tessera.origin, ...options })
  const caughtUpMs = await caughtUp(tessera)
  const [cpuAfter, after] = [await threadCpu(pid), await counters(tessera)]
  const scans =
    (after.tessera_scans_recorded_total ?? 0) - (before.tessera_scans_recorded_total ?? 0)
  const cpu = [...cpuBetween(cpuBefore, cpuAfter)].map(
    ([name, sum]) => [name, sum / scans] as const,
  )
  return { ...answered, cpu: new Map(cpu), caughtUpMs }
}

/** The median CPU of a scan in microseconds, and how the threads share it. */
export function cpuOf(bursts: Burst[]): { micros: number; text: string } {
  const names = [...new Set(bursts.flatMap(({ cpu }) => [...cpu.keys()]))]
  const each = names.map((name) => ({
    name,
    micros: median(bursts.map(({ cpu }) => cpu.get(name) ?? 0)),
  }))
  const sum = each.reduce((total, { micros }) => total + micros, 0)
  const texts = each
    .filter(({ micros }) => micros >= 0.5)
    .sort((one, other) => other.micros - one.micros)
    .map(({ name, micros }) => `${name} ${micros.toFixed(0)}`)
  return { micros: sum, text: `${sum.toFixed(0)} µs of CPU a scan (${texts.join(', ')})` }
}
