import { expect } from 'vitest'
import type { Capture } from '../../src/server/analytics/record/capture.ts'
import { STEP_LIMIT_MS } from './limits.ts'

type Capturing = { capture: Capture }

/** Waits until every scan that was answered is in the numbers. */
export async function allCounted({ capture }: Capturing): Promise<void> {
  expect(await capture.flush(STEP_LIMIT_MS)).toBe(true)
}

/** A counter or gauge of the scans, named without `tessera_`. */
export function scanMetric({ capture }: Capturing, name: string): number {
  const metric = capture.metrics().find((each) => each.name === `tessera_${name}`)
  if (!metric) throw new Error(`there is no metric ${name}`)
  return Number(metric.value)
}
