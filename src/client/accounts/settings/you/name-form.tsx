import { SimpleGrid, TextInput } from '@mantine/core'
import { type AccountSettings, accountChange } from '#contract/account-settings.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import styles from '../../../ui/form.module.css'
import { Section } from '../section.tsx'
import { useSaveName } from '../settings-calls.ts'
import { useSettingsForm } from '../settings-form.ts'

const schema = accountChange.pick({ firstName: true, lastName: true })

export function NameForm({ account }: { account: AccountSettings }) {
  const save = useSaveName()
  const { firstName, lastName } = account
  const { form, onSubmit } = useSettingsForm(
    { firstName: firstName ?? '', lastName: lastName ?? '' },
    schema,
    // The name stays in its fields.
    (values, { onError }) => save.mutate(values, { onError }),
  )
  return (
    <Section title="Name" text="We greet you by your first name. Your profile shows both.">
      <form noValidate className={styles.form} onSubmit={onSubmit}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} w="100%">
          <TextInput
            label="First name"
            autoComplete="given-name"
            {...form.getInputProps('firstName')}
          />
          <TextInput
            label="Last name"
            autoComplete="family-name"
            {...form.getInputProps('lastName')}
          />
        </SimpleGrid>
        <BusyButton type="submit" busy={save.isPending} busyText="Saving...">
          Save name
        </BusyButton>
      </form>
    </Section>
  )
}
