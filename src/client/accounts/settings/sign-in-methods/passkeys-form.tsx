import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser'
import type { PasskeyEntry } from '#contract/accounts/account-settings.ts'
import { newPasskey } from '#contract/accounts/passkeys.ts'
import { requestJson } from '../../../api.ts'
import { formatDay } from '../../../formats.ts'
import { Quiet } from '../../../ui/quiet.tsx'
import { Row, RowList } from '../../../ui/rows.tsx'
import { Section } from '../../../ui/section.tsx'
import { RowChange } from '../../change-button.tsx'
import { canUsePasskeys } from '../../sign-in/passkey.ts'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { provedJson, remove } from '../settings-calls.ts'

const schema = newPasskey.pick({ name: true })

export function PasskeysForm({ passkeys }: { passkeys: PasskeyEntry[] }) {
  return (
    <Section
      title="Passkeys"
      text="Log in with your fingerprint, your face, or your device’s PIN. No one can guess a passkey, and no fake page can steal it."
    >
      <RowList entries={passkeys} none="You have no passkeys yet.">
        {(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} />}
      </RowList>
      {canUsePasskeys() ? (
        <ChangeForm
          schema={schema}
          initialValues={{ name: '' }}
          call={addPasskey}
          done="Passkey added"
          failed={whyNoPasskey}
          button="Add passkey"
          variant="default"
        >
          <Field
            label="Name of the new passkey (optional)"
            placeholder="My phone"
            autoComplete="off"
            name="name"
          />
        </ChangeForm>
      ) : (
        <Quiet>
          This browser can’t create a passkey here. Passkeys need an up-to-date browser and an
          address that begins with https.
        </Quiet>
      )}
    </Section>
  )
}

function PasskeyRow({ passkey }: { passkey: PasskeyEntry }) {
  const { id, name, addedAt, lastUsedAt } = passkey
  return (
    <Row
      title={name}
      lines={[
        `Added ${formatDay(addedAt)}, ${lastUsedAt ? `last used ${formatDay(lastUsedAt)}` : 'not used yet'}`,
      ]}
    >
      <RowChange
        call={() => remove(`passkeys/${id}`)}
        done="Passkey removed"
        failed="Failed to remove the passkey"
        question={{
          title: 'Remove this passkey?',
          text: `You won’t be able to log in with “${name}” anymore. Your device may still offer it, so remove it there too.`,
          go: 'Remove passkey',
        }}
        aria-label={`Remove ${name}`}
      >
        Remove
      </RowChange>
    </Row>
  )
}

/** Makes a passkey in this browser, or on the device that it asks for. */
async function addPasskey({ name }: { name: string }) {
  const optionsJSON = await provedJson<PublicKeyCredentialCreationOptionsJSON>('passkeys/options')
  const { startRegistration } = await import('@simplewebauthn/browser')
  const response = await startRegistration({ optionsJSON })
  return requestJson<PasskeyEntry>('POST', '/api/account/passkeys', { name, response })
}

const whyNoPasskey = ({ name }: Error) =>
  name === 'InvalidStateError'
    ? 'This device already has a passkey for your account.'
    : 'No passkey was added. Try again, or with another device.'
