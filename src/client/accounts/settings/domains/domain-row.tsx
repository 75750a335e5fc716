import { Anchor, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import {
  type DnsRecord,
  type Domain,
  type DomainChange,
  domainChange,
  REMOVED_DAYS,
} from '#contract/integrations/domains.ts'
import { request, requestJson } from '../../../api.ts'
import { counted, formatDay, formatMoment } from '../../../formats.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { Quiet } from '../../../ui/quiet.tsx'
import rows from '../../../ui/rows.module.css'
import { useMay } from '../../../workspace.ts'
import { RowChange } from '../../change-button.tsx'
import { Field } from '../../sign-in/step-parts.tsx'
import { ChangeForm } from '../change-form.tsx'
import { addressOf } from '../sections.ts'
import styles from '../settings.module.css'
import { CopyButton } from '../shown-once.tsx'

export const DOMAINS = '/api/domains'

/** The call that changes a domain, with its toasts. */
const changing = (id: string) => ({
  call: (change: DomainChange) => requestJson<Domain>('PATCH', `${DOMAINS}/${id}`, change),
  done: 'Domain saved',
  failed: 'Failed to save the domain',
})

/** A domain, with the records that it needs and what its owner can do. */
export function DomainRow({ domain }: { domain: Domain }) {
  const { id, host, state, isProven, isDefault, codes, endsAt, checkedAt, records } = domain
  const [isOpen, setOpen] = useState(false)
  const path = `${DOMAINS}/${id}`
  const mayManage = useMay('PATCH /api/domains/:id')
  const change = changing(id)
  const needsRecords = state === 'pending' || state === 'failing'
  return (
    <li>
      <Text fw={600} className={rows.words}>
        <bdi>{host}</bdi>
      </Text>
      <Text size="sm" role="status" fw={state === 'failing' ? 600 : undefined}>
        {stateWords(domain)}
      </Text>
      {needsRecords && <Records records={records} isProven={isProven} />}
      {checkedAt && needsRecords && (
        <Quiet mt="xs">Last checked {formatMoment(checkedAt)}. We check automatically.</Quiet>
      )}
      {mayManage && (
        <Group gap="xs" mt="xs">
          {needsRecords && (
            <RowChange
              call={() => request('POST', `${path}/check`)}
              failed="Failed to check the domain"
            >
              Check now
            </RowChange>
          )}
          {isProven && !endsAt && (
            <>
              <PlainButton size="xs" onClick={() => setOpen(!isOpen)}>
                Edit
              </PlainButton>
              <RowChange
                {...change}
                call={() => change.call({ isDefault: !isDefault })}
                busyText="Saving..."
              >
                {isDefault ? 'Don’t use for new codes' : 'Use for new codes'}
              </RowChange>
            </>
          )}
          {endsAt ? (
            <RowChange
              call={() => request('POST', `${path}/restore`)}
              done="You keep the domain"
              failed="Failed to keep the domain"
              busyText="Saving..."
            >
              Keep domain
            </RowChange>
          ) : (
            <RowChange
              call={() => request('DELETE', path)}
              done="Domain removed"
              failed="Failed to remove the domain"
              question={{
                title: `Remove ${host}?`,
                text: isProven
                  ? `${codes > 0 ? `${counted(codes, 'QR code')} with links on ${host}` : `Links on ${host}`} will stop working there in ${REMOVED_DAYS} days. Until then you can change your mind. Links on our own address keep working.`
                  : 'No links work on it yet.',
                go: 'Remove domain',
              }}
            >
              Remove
            </RowChange>
          )}
        </Group>
      )}
      {isOpen && <HomeForm domain={domain} onSaved={() => setOpen(false)} />}
    </li>
  )
}

const pointsHere = ({ records }: Pick<Domain, 'records'>) =>
  records.some(({ type, isThere }) => type !== 'TXT' && isThere)

function stateWords(domain: Domain): string {
  const { host, state, isProven, isDefault, endsAt } = domain
  if (state === 'removed' && endsAt) return `Removed. Its links work until ${formatDay(endsAt)}.`
  if (state === 'active') {
    const use = isDefault ? 'New codes have their links on it.' : 'Choose it in a code’s form.'
    return `Active. All your short links work on it. ${use}`
  }
  if (state === 'failing') {
    return pointsHere(domain)
      ? 'Your links work, but the TXT record that proves you own the domain is missing. Add it again.'
      : 'The domain doesn’t point here, so codes printed with it may lead nowhere. Add a record again.'
  }
  return isProven
    ? `It’s yours. Now point ${host} here with one of these records.`
    : 'Add the first record to prove it’s yours, and the second record to point it here.'
}

/** The records to enter at the DNS provider, and what DNS has now. */
function Records({ records, isProven }: Pick<Domain, 'records' | 'isProven'>) {
  const isPointed = pointsHere({ records })
  const shown = isProven
    ? records.filter(({ type, isThere }) => !isThere && (type === 'TXT' || !isPointed))
    : records
  return (
    <Stack component="ul" gap="sm" mt="sm" aria-label="DNS records">
      {shown.map((record) => (
        <li key={`${record.type} ${record.value}`} className={styles.box}>
          <dl className={`${rows.facts} ${styles.record}`}>
            <dt>Type</dt>
            <dd>{record.type}</dd>
            <dt>Name</dt>
            <dd>{record.name}</dd>
            <dt>Value</dt>
            <dd>{record.value}</dd>
            <dt>DNS has</dt>
            <dd>{foundWords(record)}</dd>
          </dl>
          <Group gap="xs" mt={4}>
            <CopyButton text={record.name}>Copy name</CopyButton>
            <CopyButton text={record.value}>Copy value</CopyButton>
          </Group>
        </li>
      ))}
    </Stack>
  )
}

function foundWords({ found, isThere }: DnsRecord): string {
  if (found === null) return 'No answer'
  if (isThere) return 'This value'
  return found.length === 0 ? 'Nothing yet' : found.join(', ')
}

/** Where the domain's root and unknown names lead. */
function HomeForm({ domain, onSaved }: { domain: Domain; onSaved: () => void }) {
  const { id, host, homeUrl } = domain
  return (
    <ChangeForm
      {...changing(id)}
      schema={domainChange}
      initialValues={{ homeUrl: homeUrl ?? '' }}
      onDone={onSaved}
      label={`Edit ${host}`}
      button="Save"
      below={
        <Text size="sm">
          Without one, people see a page with your contact from{' '}
          <Anchor component={Link} href={addressOf('you')} inherit underline="always">
            your settings
          </Anchor>
          .
        </Text>
      }
    >
      <Field
        type="url"
        label="Home page"
        description={`Opens at ${host} itself, and at links that lead nowhere.`}
        placeholder="https://example.com"
        autoComplete="off"
        name="homeUrl"
      />
    </ChangeForm>
  )
}
