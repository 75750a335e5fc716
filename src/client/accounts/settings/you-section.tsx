import { Select, SimpleGrid } from '@mantine/core'
import { useState } from 'react'
import { type AccountSettings, accountChange, SHOWN_MAX } from '#contract/account-settings.ts'
import { todaysZone } from '#contract/zone-names.ts'
import { browserZone, localHour, timeIn } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import styles from '../../ui/form.module.css'
import { Section } from '../../ui/section.tsx'
import { useChange } from '../queries.ts'
import { Field } from '../sign-in/step-parts.tsx'
import { ChangeForm } from './change-form.tsx'
import { EmailForm } from './email-form.tsx'
import { PictureForm } from './picture-form.tsx'
import type { SectionProps } from './sections.ts'
import { saveAccount } from './settings-calls.ts'

export function YouSection({ user, account, config }: SectionProps) {
  return (
    <>
      <PictureForm user={user} pictureUrl={account.pictureUrl} />
      <NameForm account={account} />
      <EmailForm account={account} mail={config.mail} />
      <ZoneForm timeZone={account.timeZone} />
      <ContactForm account={account} />
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
  const [all, setAll] = useState<ReturnType<typeof zoneOptions>>()
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
        <Select
          label="Time zone"
          description={`It’s ${timeIn(shown.value, now)} there now.`}
          data={all ?? [shown]}
          value={shown.value}
          onChange={(zone) => zone && zone !== shown.value && save.mutate(zone)}
          onDropdownOpen={() => setAll(zoneOptions(now))}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No time zone found"
          maxDropdownHeight={264}
          styles={{ option: { minHeight: 'var(--finger)' } }}
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

/** A zone as people read it, with its offset at an instant: "Asia/Kolkata (UTC+5:30)". */
function zoneOption(zone: string, now: Date) {
  const value = todaysZone(zone)
  const name = value.replaceAll('_', ' ')
  const offset = offsetOf(value, now)
  return { value, label: name === offset ? name : `${name} (${offset})` }
}

/** All zones, by name. To ask for every offset takes a phone a while: call it when a list opens. */
function zoneOptions(now: Date) {
  const names = new Set(['UTC', ...Intl.supportedValuesOf('timeZone').map(todaysZone)])
  return [...names].sort().map((zone) => zoneOption(zone, now))
}

function offsetOf(timeZone: string, now: Date): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'shortOffset' })
  const part = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')
  return part?.value.replace('GMT', 'UTC') ?? ''
}

const contactSchema = accountChange.pick({ shownName: true, shownContact: true })

/** The owner's words for people who scan a code that does not work. */
function ContactForm({ account }: { account: AccountSettings }) {
  const { shownName, shownContact } = account
  return (
    <Section
      title="Shown on paused and expired codes"
      text="People who scan one of these codes see what you enter here. Leave a field empty to show nothing."
    >
      <ChangeForm
        schema={contactSchema}
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
