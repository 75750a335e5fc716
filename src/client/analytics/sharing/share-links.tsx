import { Button, Center, Text } from '@mantine/core'
import { Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Share } from '#contract/analytics/shares.ts'
import { formatDay } from '../../dates.ts'
import { focusUnlessReturned, useKeptFocus } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { useSignedOut } from '../../ui/sign-in-again.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { copyShare, endShare, useShares } from './queries.ts'
import { ShareForm } from './share-form.tsx'
import styles from './sharing.module.css'

/** Makes links to a code's figures, and lists those that there are. */
export function ShareLinks({ code }: { code: string }) {
  const shares = useShares(code)
  const [made, setMade] = useState<string>()
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area, () => area.current?.focus())
  useSignedOut(shares.error)
  if (shares.error && !shares.data) {
    return <LoadFailure what="Your links" error={shares.error} onRetry={shares.refetch} />
  }
  if (!shares.data) {
    return (
      <Center mih={240}>
        <Spinner label="Loading your links" />
      </Center>
    )
  }
  const { isInPlan, shares: links } = shares.data
  return (
    <div ref={area} tabIndex={-1} className={styles.area}>
      <Text size="sm">
        Make a link to these figures for somebody who has no account here. Everybody who has the
        link sees this code’s name and all of its figures, until the link ends or you stop it.
        Nobody sees where the code leads, single scans, or your other codes.
      </Text>
      {isInPlan ? (
        <ShareForm code={code} onMade={({ id }) => setMade(id)} />
      ) : (
        <NotInPlan hasLinks={links.length > 0} />
      )}
      {links.length > 0 && (
        <section aria-labelledby="share-links">
          <h3 id="share-links" className={styles.title}>
            Links to this page
          </h3>
          <ul className={styles.list}>
            {links.map((share) => (
              <Row
                key={share.id}
                {...{ code, share, isInPlan }}
                isNew={share.id === made}
                onClosed={() => focusUnlessReturned(() => area.current?.focus())}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function NotInPlan({ hasLinks }: { hasLinks: boolean }) {
  return (
    <div className={styles.note}>
      <p>
        {hasLinks
          ? 'These links are resting: sharing is part of the paid plans. They work again when you have a plan, until their day.'
          : 'Sharing is part of the paid plans, from Starter on. All figures stay yours to see on every plan.'}
      </p>
      <Button component="a" href="/subscription" size="sm">
        See the plans
      </Button>
    </div>
  )
}

type RowProps = {
  code: string
  share: Share
  isInPlan: boolean
  isNew: boolean
  /** Called when the question has gone, and perhaps this row with it. */
  onClosed: () => void
}

function Row({ code, share, isInPlan, isNew, onClosed }: RowProps) {
  const { link, note, endsAt, lastOpenedAt } = share
  const copy = useRef<HTMLButtonElement>(null)
  // What people do with a new link is to copy it.
  useEffect(() => {
    if (isNew) copy.current?.focus()
  }, [isNew])
  const name = note || `until ${formatDay(endsAt)}`
  const ask = () =>
    confirm({
      title: 'Stop sharing by this link?',
      text: 'Nobody who has it can see the figures any more. You can make a new link at any time.',
      stay: 'Keep it',
      go: 'Stop it',
      onGo: () => endShare(code, share),
      busyText: 'Stopping…',
      onClosed,
    })
  return (
    <li className={styles.row}>
      {note && <bdi className={styles.name}>{note}</bdi>}
      {link ? (
        <input
          className={styles.link}
          readOnly
          value={link}
          aria-label={`Link: ${name}`}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      ) : (
        <p className={styles.said}>
          This server has a new key and cannot show the link any more. It still works.
        </p>
      )}
      <p className={styles.said}>
        {isInPlan ? 'Ends' : 'Rests; ends'} {formatDay(endsAt)}.{' '}
        {lastOpenedAt ? `Last opened ${formatDay(lastOpenedAt)}.` : 'Nobody has opened it yet.'}
      </p>
      <div className={styles.buttons}>
        {link && (
          <Button
            ref={copy}
            size="xs"
            variant={isNew ? 'filled' : 'default'}
            leftSection={<Copy size={14} aria-hidden />}
            onClick={() => void copyShare(link)}
            aria-label={`Copy link: ${name}`}
          >
            Copy link
          </Button>
        )}
        {link && isInPlan && (
          <Button
            component="a"
            href={link}
            target="_blank"
            rel="noreferrer"
            size="xs"
            variant="default"
            aria-label={`Open in a new tab: ${name}`}
          >
            Open
          </Button>
        )}
        <Button size="xs" variant="default" onClick={ask} aria-label={`Stop: ${name}`}>
          Stop
        </Button>
      </div>
    </li>
  )
}
