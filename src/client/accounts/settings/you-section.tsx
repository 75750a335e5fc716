import { SimpleGrid } from '@mantine/core'
import { type AccountSettings, accountChange } from '#contract/accounts/account-settings.ts'
import { SHOWN_MAX, type Workspace, workspaceChange } from '#contract/accounts/team.ts'
import { browserZone, localHour, timeIn } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import styles from '../../ui/form.module.css'
import { Section } from '../../ui/section.tsx'
import { ZoneSelect, zoneOption } from '../../ui/zone-select.tsx'
import { useMay } from '../../workspace.ts'
import { useChange } from '../queries.ts'
import { Field } from '../sign-in/step-parts.tsx'
import { ChangeForm } from './change-form.tsx'
import { EmailForm } from './email-form.tsx'
import { saveWorkspace, WORKSPACE } from './members/workspace-calls.ts'
import { PictureForm } from './picture-form.tsx'
import type { SectionProps } from './sections.ts'
import { saveAccount, useFresh } from './settings-calls.ts'

export function YouSection({ user, account, config }: SectionProps) {
  const mayManage = useMay('PATCH /api/workspace')
  return (
    <>
      <PictureForm user={user} pictureUrl={account.pictureUrl} />
      <NameForm account={account} />
      <EmailForm account={account} mail={config.mail} />
      <ZoneForm timeZone={account.timeZone} />
      {mayManage && <ContactForm />}
    </>
  )
}

const nameSchema = accountChange.pick({ firstName: true, lastName: true })

function NameForm({ account }: { account: AccountSettings }) {
  return (
    <Section title="Name" text="We greet you by your first name. Your profile shows both.">
      <ChangeForm
        schema={nameSchema}
        initialValues={{ firstName: account.firstName ?? '', lastName: account.lastName ?? '' }}
        stays
        call={saveAccount}
        done="Name saved"
        failed="Failed to save your name"
        button="Save name"
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} w="100%">
          <Field label="First name" autoComplete="given-name" name="firstName" />
          <Field label="Last name" autoComplete="family-name" name="lastName" />
        </SimpleGrid>
      </ChangeForm>
    </Section>
  )
}

/** The local time of mailed reports, on any day */
const REPORTS_AT = '2026-01-01T07:00'

function ZoneForm({ timeZone }: { timeZone: string | null }) {
  const save = useChange({
    call: (zone: string) => saveAccount({ timeZone: zone }),
    done: 'Time zone saved',
    failed: 'Failed to save your time zone',
  })
  const now = new Date()
  const shown = zoneOption((save.isPending ? save.variables : timeZone) ?? 'UTC', now)
  const browsers = browserZone()
  const here = browsers ? zoneOption(browsers, now) : shown
  return (
    <Section
      title="Time zone"
      text={`We email notifications during your daytime, and reports at ${localHour(REPORTS_AT)}.`}
    >
      <div className={styles.form}>
        <ZoneSelect
          description={`It’s ${timeIn(shown.value, now)} there now.`}
          value={shown.value}
          onChange={(zone) => save.mutate(zone)}
        />
        {here.value !== shown.value && (
          <BusyButton
            variant="default"
            busy={save.isPending}
            busyText="Saving..."
            onClick={() => save.mutate(here.value)}
          >
            Use {here.label}
          </BusyButton>
        )}
      </div>
    </Section>
  )
}

const contactSchema = workspaceChange.pick({ shownName: true, shownContact: true })

/** The workspace's words for people who scan a code that does not work. */
function ContactForm() {
  const workspace = useFresh<Workspace>(WORKSPACE)
  return (
    <Section
      title="Shown on paused and expired codes"
      text="People who scan one of these codes see what you enter here. Leave a field empty to show nothing."
    >
      <Loaded query={workspace} what="Your contact">
        {({ shownName, shownContact }) => (
          <ChangeForm
            schema={contactSchema}
            initialValues={{ shownName: shownName ?? '', shownContact: shownContact ?? '' }}
            stays
            call={saveWorkspace}
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
        )}
      </Loaded>
    </Section>
  )
}
