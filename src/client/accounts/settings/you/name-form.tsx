import { SimpleGrid, TextInput } from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { type AccountSettings, accountChange } from '#contract/account-settings.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { focusFirstError } from '../../../ui/focus.ts'
import styles from '../../../ui/form.module.css'
import { showErrors } from '../form-errors.ts'
import { Section } from '../section.tsx'
import { useSaveName } from '../settings-calls.ts'

const schema = accountChange.pick({ firstName: true, lastName: true })

export function NameForm({ account }: { account: AccountSettings }) {
  const save = useSaveName()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { firstName: account.firstName ?? '', lastName: account.lastName ?? '' },
    validate: schemaResolver(schema, { sync: true }),
  })
  return (
    <Section title="Name" text="We greet you by your first name. Your profile shows both.">
      <form
        noValidate
        className={styles.form}
        onSubmit={form.onSubmit(
          (values) => save.mutate(values, { onError: showErrors(form) }),
          focusFirstError(form),
        )}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} w="100%">
          <TextInput
            label="First name"
            autoComplete="given-name"
            key={form.key('firstName')}
            {...form.getInputProps('firstName')}
          />
          <TextInput
            label="Last name"
            autoComplete="family-name"
            key={form.key('lastName')}
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
