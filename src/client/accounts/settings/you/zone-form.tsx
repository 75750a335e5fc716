import { NativeSelect } from '@mantine/core'
import { browserZone, timeIn } from '../../../dates.ts'
import { BusyButton } from '../../../ui/busy-button.tsx'
import styles from '../../../ui/form.module.css'
import { Section } from '../section.tsx'
import { useSaveZone } from '../settings-calls.ts'

export function ZoneForm({ timeZone }: { timeZone: string | null }) {
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
