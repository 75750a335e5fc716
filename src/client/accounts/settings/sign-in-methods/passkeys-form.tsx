import { TextInput } from '@mantine/core'
import type { PasskeyEntry } from '#contract/account-settings.ts'
import { newPasskey } from '#contract/passkeys.ts'
import { formatDay } from '../../../formats.ts'
import { BusyButton, RowButton } from '../../../ui/busy-button.tsx'
import form from '../../../ui/form.module.css'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { Quiet } from '../../../ui/quiet.tsx'
import { Row, Rows } from '../../../ui/rows.tsx'
import { canUsePasskeys } from '../../sign-in/passkey.ts'
import { useSubmission } from '../../sign-in/submission.ts'
import { Section } from '../section.tsx'
import { useAddPasskey, useRemovePasskey } from '../settings-calls.ts'

export function PasskeysForm({ passkeys }: { passkeys: PasskeyEntry[] }) {
  return (
    <Section
      title="Passkeys"
      text="Log in with your fingerprint, your face, or your device’s PIN. No one can guess a passkey, and no fake page can steal it."
    >
      <Rows none="You have no passkeys yet.">
        {passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} passkey={passkey} />
        ))}
      </Rows>
      {canUsePasskeys() ? (
        <AddPasskey />
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
  const remove = useRemovePasskey()
  const ask = () =>
    confirm({
      title: 'Remove this passkey?',
      text: `You won’t be able to log in with “${name}” anymore. Your device may still offer it, so remove it there too.`,
      stay: 'Keep it',
      go: 'Remove passkey',
      onGo: () => remove.mutate(id),
    })
  return (
    <Row
      title={name}
      lines={[
        `Added ${formatDay(addedAt)}, ${lastUsedAt ? `last used ${formatDay(lastUsedAt)}` : 'not used yet'}`,
      ]}
    >
      <RowButton
        aria-label={`Remove ${name}`}
        busy={remove.isPending}
        busyText="Removing..."
        onClick={ask}
      >
        Remove
      </RowButton>
    </Row>
  )
}

const schema = newPasskey.pick({ name: true })

function AddPasskey() {
  const add = useAddPasskey()
  const { form: fields, onSubmit } = useSubmission({
    schema,
    initialValues: { name: '' },
    send: add.mutateAsync,
    onDone: (_answer, _body, sent) => sent.reset(),
  })
  return (
    <form noValidate className={form.form} onSubmit={onSubmit}>
      <TextInput
        label="Name of the new passkey (optional)"
        placeholder="My phone"
        autoComplete="off"
        {...fields.getInputProps('name')}
      />
      <BusyButton type="submit" variant="default" busy={add.isPending} busyText="Adding...">
        Add passkey
      </BusyButton>
    </form>
  )
}
