import { AppError } from '../../http/errors.ts'
import type { Choice } from '../provider.ts'
import type { SandboxSession } from './sandbox-sessions.ts'

/** The plan that a session was opened for. @throws AppError checkout_not_found for one without */
export function choiceOf({ tier, billing }: SandboxSession): Choice {
  if (!tier || !billing) throw new AppError('checkout_not_found')
  return { tier, billing }
}
