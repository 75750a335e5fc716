import { Button, Stack } from '@mantine/core'
import { KeyRound } from 'lucide-react'
import { useSearch } from 'wouter'
import type { PublicConfig } from '#contract/accounts/accounts.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { askForPasskey, canUsePasskeys, isGivenUp, usePasskeyAutofill } from './passkey.ts'
import type { StepProps } from './step-parts.tsx'
import { providerAddress } from './steps.ts'
import { failureOf, useSending } from './submission.ts'

type Props = StepProps & { onFailure: (failure: string | null) => void }

/** If only the provider signs in, people who leave the company are out. */
const hasPasskeys = ({ passwordLogin }: PublicConfig) => passwordLogin && canUsePasskeys()

export const hasOtherWays = (config: PublicConfig) =>
  config.provider !== null || hasPasskeys(config)

/** The ways in without a password: the company's provider and passkeys. */
export function OtherWays({ config, onAnswer, onFailure }: Props) {
  if (!hasOtherWays(config)) return null
  return (
    <Stack>
      {config.provider && <ProviderButton name={config.provider} isOnly={!config.passwordLogin} />}
      {hasPasskeys(config) && <PasskeyButton onAnswer={onAnswer} onFailure={onFailure} />}
    </Stack>
  )
}

/** If it is the only way in, it is the main button of the page. */
export function ProviderButton({ name, isOnly = false }: { name: string; isOnly?: boolean }) {
  const address = providerAddress(useSearch())
  return (
    <Button component="a" href={address} variant={isOnly ? 'filled' : 'default'} fullWidth>
      Log in with {name}
    </Button>
  )
}

/** A passkey by a button, or from the browser's own list at the address's field. */
function PasskeyButton({ onAnswer, onFailure }: Pick<Props, 'onAnswer' | 'onFailure'>) {
  const { send, busy } = useSending(
    async () => onAnswer(await askForPasskey()),
    (error) => {
      onFailure(
        isGivenUp(error)
          ? 'No passkey was used. Try again, or log in another way.'
          : failureOf(error),
      )
      return true
    },
  )
  // A browser asks for one passkey at a time.
  usePasskeyAutofill(!busy, { onAnswer, onFailure })
  const ask = () => {
    onFailure(null)
    void send()
  }
  return (
    <PlainButton
      leftSection={<KeyRound size={18} aria-hidden />}
      loading={busy}
      onClick={ask}
      fullWidth
    >
      Log in with a passkey
    </PlainButton>
  )
}
