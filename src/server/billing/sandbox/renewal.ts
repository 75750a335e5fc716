import { DAY_MS } from '#contract/time.ts'
import { periodEndAfter } from './periods.ts'
import type { SandboxSubscription } from './sandbox-subscriptions.ts'

/** The course of a subscription: what time and payments change of it. */
export type Course = Pick<
  SandboxSubscription,
  | 'billing'
  | 'status'
  | 'anchor_at'
  | 'period_start'
  | 'period_end'
  | 'ends_at_period_end'
  | 'failures'
  | 'failed_at'
>

/**
 * What happens when a subscription's time has come. `unpaid`: a renewal failed; `still_unpaid`: so
 * did another attempt; `given_up`: it was the last one.
 */
export type Step = 'renewed' | 'unpaid' | 'paid' | 'still_unpaid' | 'given_up' | 'ended'

/** Days after a failed renewal at which the card is tried again. */
export const RETRY_DAYS = [3, 5, 7]

/** When something happens to the subscription next by itself; null where it is over. */
export function nextStepAt(course: Course): number | null {
  if (course.status === 'canceled') return null
  const days = RETRY_DAYS[course.failures - 1]
  if (course.failed_at === null || days === undefined) return course.period_end
  return course.failed_at + days * DAY_MS
}

/** Takes the next step. @param pays whether the card pays what is to be paid then */
export function takeStep(course: Course, pays: boolean): { step: Step; course: Course } {
  if (course.status === 'past_due') return pays ? settle(course) : fail(course)
  if (course.ends_at_period_end) {
    return { step: 'ended', course: { ...course, status: 'canceled' } }
  }
  return renew(course, pays)
}

/** The period goes on even where it is not paid, as with Stripe. */
function renew(course: Course, pays: boolean): { step: Step; course: Course } {
  const { anchor_at, billing, period_end } = course
  const next = {
    ...course,
    period_start: period_end,
    period_end: periodEndAfter(anchor_at, billing, period_end),
  }
  if (pays) return { step: 'renewed', course: next }
  const failed = { status: 'past_due', failures: 1, failed_at: period_end } as const
  return { step: 'unpaid', course: { ...next, ...failed } }
}

function settle(course: Course): { step: Step; course: Course } {
  return { step: 'paid', course: { ...course, status: 'active', failures: 0, failed_at: null } }
}

function fail(course: Course): { step: Step; course: Course } {
  const failures = course.failures + 1
  if (failures <= RETRY_DAYS.length)
    return { step: 'still_unpaid', course: { ...course, failures } }
  return { step: 'given_up', course: { ...course, failures, status: 'canceled' } }
}
