import { availableParallelism, loadavg } from 'node:os'
import { isSoak } from './soak.ts'

/*
 * How long something may take before a test counts it as hung. No test passes because it is quick:
 * the limits are far above what is needed, and further still on a machine that is busy already.
 */

const [load = 0] = loadavg()
/** How busy this machine was when the tests began: 1 if it had a core for each that wanted one. */
export const busyness = Math.min(4, Math.max(1, load / availableParallelism()))

/** A whole test; a soak repeats many of them for minutes. */
export const TEST_LIMIT_MS = Math.round((isSoak ? 900_000 : 180_000) * busyness)

/** One thing that a test waits for. */
export const STEP_LIMIT_MS = Math.round(60_000 * busyness)
