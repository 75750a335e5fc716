import { Box, Group, SimpleGrid, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import type {
  AccountSettings,
  RecoveryCodes,
  SecondFactorOffer,
} from '#contract/accounts/account-settings.ts'
import { requestJson } from '../../../api.ts'
import { saveFile } from '../../../files/save-file.ts'
import { counted } from '../../../formats.ts'
import { focusUnlessReturned } from '../../../ui/focus.ts'
import form from '../../../ui/form.module.css'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { Section } from '../../../ui/section.tsx'
import { ChangeButton } from '../../change-button.tsx'
import { withProof } from '../proof.tsx'
import { proved, provedJson } from '../settings-calls.ts'
import { CopyButton, showOnce } from '../shown-once.tsx'
import { type ProvedOffer, SecondStepSetup } from './second-step-setup.tsx'

type State = AccountSettings['secondFactor']

/** A code from an app after the password. */
export function SecondStep({ state, email }: { state: State; email: string }) {
  const area = useRef<HTMLDivElement>(null)
  const onCodes = (codes: string[]) =>
    showOnce({
      title: 'Your recovery codes',
      done: 'I’ve saved them',
      // With the first codes, the button that opened them has left the page.
      onClosed: () => focusUnlessReturned(() => area.current?.focus()),
      children: <Codes codes={codes} email={email} />,
    })
  return (
    <Section
      title="Two-step verification"
      text="After your password or an emailed link, we ask for a code from an app on your phone. Passkeys don’t need a code."
    >
      <Box ref={area} tabIndex={-1} w="100%">
        {state.isOn ? <On state={state} onCodes={onCodes} /> : <Off onCodes={onCodes} />}
      </Box>
    </Section>
  )
}

function Codes({ codes, email }: { codes: string[]; email: string }) {
  return (
    <>
      <Text size="sm">
        If you lose your phone, each one works once in place of the app’s code. Store them like a
        password. We won’t show them again.
      </Text>
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2 }} spacing={8} className={form.copied}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </SimpleGrid>
      <Group gap="xs">
        <CopyButton text={codes.join('\n')}>Copy codes</CopyButton>
        <PlainButton
          size="xs"
          leftSection={<Download size={14} aria-hidden />}
          onClick={() => saveFile(fileOf(codes, email), 'tessera-recovery-codes.txt')}
        >
          Download codes
        </PlainButton>
      </Group>
    </>
  )
}

type OnCodes = { onCodes: (codes: string[]) => void }

function Off({ onCodes }: OnCodes) {
  const [offer, setOffer] = useState<ProvedOffer | null>(null)
  if (offer) {
    return <SecondStepSetup offer={offer} onDone={onCodes} onCancel={() => setOffer(null)} />
  }
  return (
    <Group justify="space-between">
      <Text size="sm">Off</Text>
      <ChangeButton
        call={askForOffer}
        failed="Failed to set up two-step verification"
        onDone={setOffer}
        busyText="Preparing..."
      >
        Set up two-step verification
      </ChangeButton>
    </Group>
  )
}

/** Asks for the secret of an authenticator app. Nothing is on before its first code. */
const askForOffer = () =>
  withProof(async (password): Promise<ProvedOffer> => {
    const path = '/api/account/second-factor'
    return { ...(await requestJson<SecondFactorOffer>('POST', path, { password })), password }
  })

function On({ state, onCodes }: OnCodes & { state: State }) {
  const { recoveryCodesLeft: left } = state
  return (
    <>
      <Text size="sm">
        On.{' '}
        {left === 0 ? 'You have no recovery codes left' : `${counted(left, 'recovery code')} left`}.
        {left < 3 && ' Create new ones so a lost phone doesn’t lock you out.'}
      </Text>
      <Group gap="xs" mt="md">
        <ChangeButton
          call={() => provedJson<RecoveryCodes>('recovery-codes')}
          failed="Failed to create recovery codes"
          show={({ codes }) => onCodes(codes)}
          question={{
            title: 'Create new recovery codes?',
            text: 'The codes you have now stop working.',
            stay: 'Keep the old ones',
            go: 'Create new codes',
            grave: false,
          }}
          busyText="Creating..."
        >
          New recovery codes
        </ChangeButton>
        <ChangeButton
          call={() => proved('second-factor/off')}
          done="Two-step verification is off"
          failed="Failed to turn off two-step verification"
          question={{
            title: 'Turn off two-step verification?',
            text: 'Your password alone will log you in. Your recovery codes stop working.',
            stay: 'Keep it on',
            go: 'Turn off',
          }}
          busyText="Turning off..."
        >
          Turn off
        </ChangeButton>
      </Group>
    </>
  )
}

function fileOf(codes: readonly string[], email: string): Blob {
  const lines = [
    `Recovery codes for ${email} at ${window.location.host}`,
    'Each one works once.',
    '',
    ...codes,
    '',
  ]
  return new Blob([lines.join('\r\n')], { type: 'text/plain' })
}
