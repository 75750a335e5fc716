import { expect } from 'vitest'
import type { Capture } from '../../src/server/analytics/capture/capture.ts'
import { STEP_LIMIT_MS } from './limits.ts'

/** Waits until every scan that was answered is in the numbers. */
export async function allCounted({ capture }: { capture: Capture }): Promise<void> {
  expect(await capture.caughtUp(STEP_LIMIT_MS)).toBe(true)
}
