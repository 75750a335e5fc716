import { useEffect, useEffectEvent } from 'react'
import type { SignInAnswer } from '#contract/accounts/accounts.ts'
import { ApiError } from '../../api.ts'
import { passkeyOptions, signInByPasskey } from './sign-in-calls.ts'
import { failureOf } from './submission.ts'

/** Loaded when a passkey is asked for. */
const load = () => import('@simplewebauthn/browser')

/** Browsers have passkeys on https and on this device only. */
export const canUsePasskeys = () => 'PublicKeyCredential' in window

/** Asks the browser for a passkey, and the server whether it is right. */
export function askForPasskey(): Promise<SignInAnswer> {
  return ask({ useBrowserAutofill: false })
}

async function ask(how: { useBrowserAutofill: boolean; signal?: AbortSignal }) {
  const { useBrowserAutofill, signal } = how
  const [library, optionsJSON] = await Promise.all([load(), passkeyOptions()])
  const { startAuthentication, WebAuthnAbortService } = library
  // A second question to the browser would end the first one.
  signal?.throwIfAborted()
  signal?.addEventListener('abort', () => WebAuthnAbortService.cancelCeremony())
  const response = await startAuthentication({ optionsJSON, useBrowserAutofill })
  return signInByPasskey({ response })
}

/** The browser has no passkey for us, or the person closed its question: nothing was refused. */
export function isGivenUp(error: unknown): boolean {
  return !(error instanceof ApiError) && !(error instanceof TypeError)
}

type Listener = {
  onAnswer: (answer: SignInAnswer) => void
  onFailure: (failure: string) => void
}

/** Offers passkeys in the list that the browser opens at the address's field (conditional mediation). */
export function usePasskeyAutofill(isOn: boolean, listener: Listener): void {
  const onAnswer = useEffectEvent(listener.onAnswer)
  const onFailure = useEffectEvent(listener.onFailure)
  useEffect(() => {
    if (!isOn) return
    const over = new AbortController()
    const { signal } = over
    const offer = async (): Promise<void> => {
      if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
      try {
        const answer = await ask({ useBrowserAutofill: true, signal })
        if (!signal.aborted) onAnswer(answer)
      } catch (error) {
        // The user pressed no button, so only a passkey that was chosen and refused is reported.
        const isRefused = error instanceof ApiError && error.code === 'passkey_refused'
        if (signal.aborted || !isRefused) return
        onFailure(failureOf(error))
        await offer()
      }
    }
    offer()
    return () => over.abort()
  }, [isOn])
}
