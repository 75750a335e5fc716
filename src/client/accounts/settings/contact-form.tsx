import { type AccountSettings, accountChange, SHOWN_MAX } from '#contract/account-settings.ts'
import { Section } from '../../ui/section.tsx'
import { Field } from '../sign-in/field.tsx'
import { ChangeForm } from './change-form.tsx'
import { saveAccount } from './settings-calls.ts'

const schema = accountChange.pick({ shownName: true, shownContact: true })

/** The owner's words for people who scan a code that does not work. */
export function ContactForm({ account }: { account: AccountSettings }) {
  const { shownName, shownContact } = account
  return (
    <Section
      title="Shown on paused and expired codes"
      text="People who scan one of these codes see what you enter here. Leave a field empty to show nothing."
    >
      <ChangeForm
        schema={schema}
        initialValues={{ shownName: shownName ?? '', shownContact: shownContact ?? '' }}
        stays
        call={saveAccount}
        done="Contact saved"
        failed="Failed to save your contact"
        button="Save contact"
        variant="default"
      >
        <Field
          label="Name to show"
          placeholder="Café Luna"
          maxLength={SHOWN_MAX}
          autoComplete="organization"
          name="shownName"
        />
        <Field
          label="Contact to show"
          description="An email address or a phone number, as plain text."
          placeholder="hello@cafeluna.example"
          maxLength={SHOWN_MAX}
          autoComplete="off"
          name="shownContact"
        />
      </ChangeForm>
    </Section>
  )
}
