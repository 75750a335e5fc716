import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { type AccountSettings, accountChange } from '#contract/account-settings.ts'
import { browserZone, timeIn } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import styles from '../../ui/form.module.css'
import { useSubmission } from '../sign-in/submission.ts'
import { EmailForm } from './email-form.tsx'
import { PictureForm } from './picture-form.tsx'
import { Section } from './section.tsx'
import type { SectionProps } from './sections.ts'
import { useSaveName, useSaveZone } from './settings-calls.ts'

export function YouSection({ user, account, config }: SectionProps) {
  return (
    <>
      <PictureForm user={user} pictureUrl={account.pictureUrl} />
      <NameForm account={account} />
      <EmailForm account={account} mail={config.mail} />
      <ZoneForm timeZone={account.timeZone} />
    </>
  )
}

const nameSchema = accountChange.pick({ firstName: true, lastName: true })

function NameForm({ account }: { account: AccountSettings }) {
  const save = useSaveName()
  const { form, onSubmit } = useSubmission({
    schema: nameSchema,
    initialValues: { firstName: account.firstName ?? '', lastName: account.lastName ?? '' },
    send: save.mutateAsync,
    // The name stays in its fields.
    onDone: () => {},
  })
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

function ZoneForm({ timeZone }: { timeZone: string | null }) {
  const save = useSaveZone()
  const shown = (save.isPending ? save.variables : timeZone) ?? 'UTC'
  const here = browserZone()
  return (
    <Section
      title="Time zone"
      text="We send notices in the daytime where you are, and figures at 7 AM."
    >
      <div className={styles.form}>
        <NativeSelect
          label="Time zone"
          description={`It is ${timeIn(shown, new Date())} there now.`}
          data={zones(shown)}
          value={shown}
          onChange={(event) => save.mutate(event.currentTarget.value)}
        />
        {here && here !== shown && (
          <BusyButton
            variant="default"
            busy={save.isPending}
            busyText="Saving..."
            onClick={() => save.mutate(here)}
          >
            Use this browser’s: {nameOf(here)}
          </BusyButton>
        )}
      </div>
    </Section>
  )
}

const nameOf = (zone: string) => zone.replaceAll('_', ' ')

function zones(shown: string) {
  const all = new Set(['UTC', shown, ...Intl.supportedValuesOf('timeZone')])
  return [...all].sort().map((value) => ({ value, label: nameOf(value) }))
}
