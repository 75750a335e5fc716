import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import type { PublicConfig, SignInAnswer } from '#contract/accounts/accounts.ts'
import { CodeStep } from '../accounts/sign-in/code-step.tsx'
import { ForgotStep } from '../accounts/sign-in/forgot-step.tsx'
import { InvitationStep } from '../accounts/sign-in/invitation-step.tsx'
import { LinkStep } from '../accounts/sign-in/link-step.tsx'
import { MailStep } from '../accounts/sign-in/mail-step.tsx'
import { readConfig } from '../accounts/sign-in/sign-in-calls.ts'
import { SignInStep } from '../accounts/sign-in/sign-in-step.tsx'
import { SignUpStep } from '../accounts/sign-in/sign-up-step.tsx'
import { StepLink, type StepProps } from '../accounts/sign-in/step-parts.tsx'
import { go, leave, type Step, type StepState, stepOf } from '../accounts/sign-in/steps.ts'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { CardPage, PageSpinner } from '../ui/page/page.tsx'

/** All ways into an account. Each step has an address of its own, so that Back and Reload work. */
export function SignInPage() {
  const { config, failure, read } = useServerConfig()
  if (failure) {
    return (
      <CardPage>
        <LoadFailure what="The login page" reading={{ error: failure, refetch: read }} />
      </CardPage>
    )
  }
  return config ? <Steps config={config} /> : <PageSpinner />
}

function Steps({ config }: { config: PublicConfig }) {
  const { step, kept } = useStep(config)
  const { current: typed } = useRef({ email: '' })
  const onAnswer = (answer: SignInAnswer, email = '') => {
    if ('user' in answer) leave(answer.user)
    else if (answer.next === 'second-factor') go('code')
    else go('mail', { mailed: { kind: 'verify-email', email } })
  }
  const props = { config, typed, onAnswer }
  return (
    <CardPage after={config.signUp === 'open' && config.passwordLogin && <OtherForm step={step} />}>
      <StepContent key={step} step={step} kept={kept} {...props} />
    </CardPage>
  )
}

type ContentProps = StepProps & { step: Step; kept: StepState }

function StepContent({ step, kept, ...props }: ContentProps) {
  if (step === 'sign-up') return <SignUpStep {...props} />
  if (step === 'forgot') return <ForgotStep {...props} />
  if (step === 'code') return <CodeStep {...props} />
  if (step === 'mail' && kept.mailed) return <MailStep config={props.config} mailed={kept.mailed} />
  if (step === 'link') return <LinkStep {...props} />
  if (step === 'invitation') return <InvitationStep {...props} />
  return <SignInStep {...props} />
}

/** The step in the address, where this server has it and the tab still knows enough of it. */
function useStep(config: PublicConfig): { step: Step; kept: StepState } {
  const kept = useHistoryState<StepState | null>() ?? {}
  const wanted = stepOf(useSearch())
  const isPassword = wanted === 'sign-up' || wanted === 'forgot'
  const isThere =
    (!isPassword || config.passwordLogin) &&
    (wanted !== 'sign-up' || config.signUp === 'open') &&
    (wanted !== 'mail' || kept.mailed !== undefined)
  return { step: isThere ? wanted : 'sign-in', kept }
}

/** From signing in to signing up, and back. */
function OtherForm({ step }: { step: Step }) {
  if (step === 'sign-in') {
    return (
      <Text ta="center" size="sm">
        No account yet? <StepLink to="sign-up">Sign up</StepLink>
      </Text>
    )
  }
  if (step !== 'sign-up') return null
  return (
    <Text ta="center" size="sm">
      Already have an account? <StepLink to="sign-in">Log in</StepLink>
    </Text>
  )
}

/** The settings of the server, which decide on the ways to sign in. */
function useServerConfig() {
  const [config, setConfig] = useState<PublicConfig>()
  const [failure, setFailure] = useState<unknown>()
  const read = () => {
    setFailure(undefined)
    readConfig().then(setConfig, setFailure)
  }
  useEffect(read, [])
  return { config, failure, read }
}
