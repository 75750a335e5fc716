import { Anchor, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type DnsRecord,
  type Domain,
  domainChange,
  REMOVED_DAYS,
} from '#contract/integrations/domains.ts'
import { counted, formatDay, formatMoment } from '../../../formats.ts'
import { BusyButton, RowButton } from '../../../ui/busy-button.tsx'
import form from '../../../ui/form.module.css'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { Quiet } from '../../../ui/quiet.tsx'
import rows from '../../../ui/rows.module.css'
import { useSubmission } from '../../sign-in/submission.ts'
import { CopyButton } from '../shown-once.tsx'
import {
  useChangeDomain,
  useCheckDomain,
  useRemoveDomain,
  useRestoreDomain,
} from './domain-calls.ts'
import styles from './domains.module.css'

/** A domain, with the records that it needs and what its owner can do. */
export function DomainRow({ domain }: { domain: Domain }) {
  const { id, host, state, isProven, isDefault, codes, endsAt, checkedAt, records } = domain
  const [isOpen, setOpen] = useState(false)
  const check = useCheckDomain(id)
  const remove = useRemoveDomain(id)
  const restore = useRestoreDomain(id)
  const change = useChangeDomain(id)
  const askRemoval = () =>
    confirm({
      title: `Remove ${host}?`,
      text: isProven
        ? `${codes > 0 ? `${counted(codes, 'QR code')} with links on ${host}` : `Links on ${host}`} will stop working there in ${REMOVED_DAYS} days. Until then you can change your mind. Links on our own address keep working.`
        : 'No links work on it yet.',
      stay: 'Keep it',
      go: 'Remove domain',
      onGo: () => remove.mutate(),
    })
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
      <Group gap="xs" mt="xs">
        {needsRecords && (
          <RowButton busy={check.isPending} busyText="Checking..." onClick={() => check.mutate()}>
            Check now
          </RowButton>
        )}
        {isProven && !endsAt && (
          <>
            <RowButton busy={false} onClick={() => setOpen(!isOpen)}>
              Edit
            </RowButton>
            <RowButton
              busy={change.isPending}
              busyText="Saving..."
              onClick={() => change.mutate({ isDefault: !isDefault })}
            >
              {isDefault ? 'Don’t use for new codes' : 'Use for new codes'}
            </RowButton>
          </>
        )}
        {endsAt ? (
          <RowButton busy={restore.isPending} busyText="Saving..." onClick={() => restore.mutate()}>
            Keep domain
          </RowButton>
        ) : (
          <RowButton busy={remove.isPending} busyText="Removing..." onClick={askRemoval}>
            Remove
          </RowButton>
        )}
      </Group>
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
    <ul className={styles.records} aria-label="DNS records">
      {shown.map((record) => (
        <li key={`${record.type} ${record.value}`}>
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
    </ul>
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
  const saving = useChangeDomain(id)
  const { form: fields, onSubmit } = useSubmission({
    schema: domainChange,
    initialValues: { homeUrl: homeUrl ?? '' },
    send: (body) => saving.mutateAsync(body),
    onDone: onSaved,
  })
  return (
    <form noValidate aria-label={`Edit ${host}`} className={form.form} onSubmit={onSubmit}>
      <TextInput
        type="url"
        label="Home page"
        description={`Opens at ${host} itself, and at links that lead nowhere.`}
        placeholder="https://example.com"
        autoComplete="off"
        {...fields.getInputProps('homeUrl')}
      />
      <BusyButton type="submit" busy={saving.isPending} busyText="Saving...">
        Save
      </BusyButton>
      <Text size="sm">
        Without one, people see a page with your contact from{' '}
        <Anchor href="/profile?settings=you" inherit underline="always">
          your settings
        </Anchor>
        .
      </Text>
    </form>
  )
}
