import { isUnauthorized, serverMessageOf } from '../api.ts'
import { signInAgain } from './sign-in-again.ts'
import { toast } from './toast.tsx'

/** Tells the person that a call failed: with the server's words where it has any, else with ours. */
export function reportFailure(error: unknown, fallback: string): void {
  if (isUnauthorized(error)) signInAgain()
  else toast.error(serverMessageOf(error) ?? fallback)
}

/** The same where the text is always ours. */
export function reportPlainFailure(error: unknown, message: string): void {
  if (isUnauthorized(error)) signInAgain()
  else toast.error(message)
}
