import { ApiError, blockedBy, isRefusal, isUnauthorized, serverMessageOf } from '../../api.ts'
import { signInAgain } from './sign-in-again.ts'
import { toast } from './toast.tsx'

/** Tells the person that a call failed: with the server's words where it has any, else with ours. */
export function reportFailure(error: unknown, fallback: string): void {
  reportPlainFailure(error, serverMessageOf(error) ?? fallback)
}

/** The same where the text is always ours. A visitor of the live demo has done nothing wrong. */
export function reportPlainFailure(error: unknown, text: string): void {
  const isAnswered = navigator.onLine || error instanceof ApiError
  const message = isAnswered ? text : `${text.replace(/\.$/, '')}. You’re offline.`
  if (isUnauthorized(error)) signInAgain()
  // A dialog says already that the page is over.
  else if (isRefusal(error, 'demo_read_only')) toast.success(message, 'Only in your own account')
  else if (!blockedBy(error)) toast.error(message)
}
