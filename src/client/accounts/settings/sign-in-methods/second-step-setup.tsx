import { Box, Button, Group, List, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type {
  OwnerProof,
  RecoveryCodes,
  SecondFactorOffer,
} from '#contract/accounts/account-settings.ts'
import { secondFactorCode } from '#contract/accounts/accounts.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { requestJson } from '../../../api.ts'
import { useDrawn } from '../../../drawing/drawn-symbol.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { withProof } from '../proof.tsx'
import styles from '../settings.module.css'
import { CopyButton } from '../shown-once.tsx'

/** An offer, with the password if it was asked for: the first code takes it too. */
export type ProvedOffer = SecondFactorOffer & OwnerProof

type Props = {
  offer: ProvedOffer
  onDone: (recoveryCodes: string[]) => void
  onCancel: () => void
}

const CLIP = { overflow: 'clip' }

/** The secret for an app, as a picture and as text, and the app's first code in return. */
export function SecondStepSetup({ offer, onDone, onCancel }: Props) {
  const picture = useDrawn(offer.uri, DEFAULT_LOOK)
  const top = useRef<HTMLDivElement>(null)
  // The button that led here is gone, and the focus with it.
  useEffect(() => top.current?.focus(), [])
  return (
    <Stack ref={top} tabIndex={-1}>
      <List type="ordered" size="sm" spacing="xs">
        <List.Item>
          Open an authenticator app on your phone, such as Google Authenticator, Aegis, or a
          password manager.
        </List.Item>
        <List.Item>Scan this QR code with it, or enter the key.</List.Item>
        <List.Item>Enter the code that the app shows.</List.Item>
      </List>
      <Group gap="lg">
        <Box w={184} h={184} bd="1px solid var(--line)" bdrs="md" bg="#fff" style={CLIP}>
          {picture && (
            <Box component="img" w="100%" src={picture} alt="QR code with the key for your app" />
          )}
        </Box>
        <Stack gap={8} align="flex-start" flex={1} miw={200}>
          <Text size="sm" fw={600}>
            Key
          </Text>
          <Box component="code" fz="md" lts="0.04em" style={{ overflowWrap: 'anywhere' }}>
            {offer.secret.match(/.{1,4}/g)?.join(' ')}
          </Box>
          <CopyButton text={offer.secret}>Copy key</CopyButton>
          <Button
            component="a"
            href={offer.uri}
            variant="default"
            size="xs"
            className={styles.here}
          >
            Open in an app on this phone
          </Button>
        </Stack>
      </Group>
      <ChangeForm
        schema={secondFactorCode}
        initialValues={{ code: '' }}
        call={({ code }) =>
          withProof((proof = offer.password) =>
            requestJson<RecoveryCodes>('POST', '/api/account/second-factor/confirm', {
              code: code.replaceAll(' ', ''),
              password: proof,
            }),
          )
        }
        failed="Failed to turn on two-step verification"
        show={({ codes }) => onDone(codes)}
        button="Turn on"
        busyText="Checking..."
        beside={<PlainButton onClick={onCancel}>Cancel</PlainButton>}
      >
        <Field
          label="Code from the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123456"
          name="code"
        />
      </ChangeForm>
    </Stack>
  )
}
