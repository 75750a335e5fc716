import { TextInput } from '@mantine/core'
import { type AccountSettings, accountChange, SHOWN_MAX } from '#contract/account-settings.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import styles from '../../ui/form.module.css'
import { useSubmission } from '../sign-in/submission.ts'
import { Section } from './section.tsx'
import { useSaveContact } from './settings-calls.ts'

const schema = accountChange.pick({ shownName: true, shownContact: true })

/** The owner's words for people who scan a code that does not work. */
export function ContactForm({ account }: { account: AccountSettings }) {
  const save = useSaveContact()
  const { form, onSubmit } = useSubmission({
    schema,
    initialValues: {
      shownName: account.shownName ?? '',
      shownContact: account.shownContact ?? '',
    },
    send: save.mutateAsync,
    // The texts stay in their fields.
    onDone: () => {},
  })
  return (
    <Section
      title="Shown on paused and expired codes"
      text="People who scan one of these codes see what you enter here. Leave a field empty to show nothing."
    >
      <form noValidate className={styles.form} onSubmit={onSubmit}>
        <TextInput
          label="Name to show"
          placeholder="Café Luna"
          maxLength={SHOWN_MAX}
          autoComplete="organization"
          {...form.getInputProps('shownName')}
        />
        <TextInput
          label="Contact to show"
          description="An email address or a phone number, as plain text."
          placeholder="hello@cafeluna.example"
          maxLength={SHOWN_MAX}
          autoComplete="off"
          {...form.getInputProps('shownContact')}
        />
        <BusyButton type="submit" variant="default" busy={save.isPending} busyText="Saving...">
          Save contact
        </BusyButton>
      </form>
    </Section>
  )
}
