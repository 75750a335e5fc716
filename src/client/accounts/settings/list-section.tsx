import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { PlansButton } from '../../ui/plans-link.tsx'
import { RowList } from '../../ui/rows.tsx'
import { Section, type SectionProps } from '../../ui/section.tsx'

type ListProps<Entry> = SectionProps & {
  /** Names the list if it cannot be read */
  what: string
  query: { error: Error | null; refetch: () => unknown }
  /** Undefined until they are read */
  entries: Entry[] | undefined
  none: string
  /** Draws an entry. */
  row: (entry: Entry) => ReactNode
  /** The sentence on a plan without them, for an account that has some and for one that has none */
  notInPlan?: false | { some: string; none: string }
}

/** A list of the account's, as the server has it. */
export function ListSection<Entry>(props: ListProps<Entry>) {
  const { title, text, what, query, entries, none, row, notInPlan } = props
  const { error, refetch } = query
  return (
    <Section title={title} text={text}>
      <Loaded query={{ data: entries, error, refetch }} what={what}>
        {(all) => (
          <>
            {notInPlan && <NotInPlan>{all.length > 0 ? notInPlan.some : notInPlan.none}</NotInPlan>}
            <RowList entries={all} none={!notInPlan && none}>
              {row}
            </RowList>
          </>
        )}
      </Loaded>
    </Section>
  )
}

/** The form for another entry, or why there can be none. */
export function NewSection({ title, full, children }: SectionProps & { full: string | false }) {
  return <Section title={title}>{full ? <Text size="sm">{full}</Text> : children}</Section>
}

/** Leads to the plans that have what this section sets. */
export function NotInPlan({ children }: { children: ReactNode }) {
  return (
    <>
      <Text size="sm">{children}</Text>
      <PlansButton />
    </>
  )
}
