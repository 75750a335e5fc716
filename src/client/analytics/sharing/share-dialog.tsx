import { Box, Button, Group, Stack, Text } from '@mantine/core'
import { Copy } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { Share, ShareList } from '#contract/analytics/shares.ts'
import { formatDay } from '../../formats.ts'
import { Dialog, Loaded } from '../../ui/dialog/dialog.tsx'
import { focusUnlessReturned, useKeptFocus } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { useSignedOut } from '../../ui/messages/sign-in-again.ts'
import { PausedMark, ResumeButton } from '../../ui/paused-mark.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { PlansButton } from '../../ui/plans-link.tsx'
import { Rows } from '../../ui/rows.tsx'
import { CardTitle } from '../drawer/card.tsx'
import { copyShare, endShare, useResumeShare, useShares } from './queries.ts'
import { ShareForm } from './share-form.tsx'

/** Above the drawer, from which it opens. */
const ABOVE_DRAWER = 220

type Props = {
  opened: boolean
  onClose: () => void
  onClosed: () => void
  code: string
  name: string
}

/** Makes links by which a code's figures are shared, and lists those that there are. */
export function ShareDialog({ code, name, ...dialog }: Props) {
  return (
    <Dialog
      {...dialog}
      title={
        <>
          Share the analytics of <bdi>{name}</bdi>
        </>
      }
      size={560}
      zIndex={ABOVE_DRAWER}
      what="Sharing"
    >
      <ShareLinks code={code} />
    </Dialog>
  )
}

function ShareLinks({ code }: { code: string }) {
  const shares = useShares(code)
  useSignedOut(shares.error)
  // Links that were read once stay when a later reading fails.
  const query = { ...shares, error: shares.data ? null : shares.error }
  return (
    <Loaded query={query} what="Your links" height={240}>
      {(list) => <Links code={code} list={list} />}
    </Loaded>
  )
}

function Links({ code, list }: { code: string; list: ShareList }) {
  const { isInPlan, shares } = list
  const [made, setMade] = useState<string>()
  const area = useRef<HTMLDivElement>(null)
  const focusArea = () => area.current?.focus()
  useKeptFocus(area, focusArea)
  return (
    <Stack ref={area} tabIndex={-1} gap={20}>
      <Text size="sm">
        Create a link to these analytics for people without an account. Anyone with the link sees
        this code’s name and its analytics until it expires or you revoke it. They won’t see its
        destination, individual scans or your other codes.
      </Text>
      {isInPlan ? (
        <ShareForm code={code} onMade={({ id }) => setMade(id)} />
      ) : (
        <NotInPlan hasLinks={shares.length > 0} />
      )}
      {shares.length > 0 && (
        <section aria-labelledby="share-links">
          <CardTitle id="share-links" lh="inherit" mb={8}>
            Share links
          </CardTitle>
          <Rows>
            {shares.map((share) => (
              <ShareRow
                key={share.id}
                code={code}
                share={share}
                isInPlan={isInPlan}
                isNew={share.id === made}
                onClosed={() => focusUnlessReturned(focusArea)}
              />
            ))}
          </Rows>
        </section>
      )}
    </Stack>
  )
}

function NotInPlan({ hasLinks }: { hasLinks: boolean }) {
  return (
    <Group gap="12px 16px" px={16} py={12} bdrs={12} bg="var(--note)" c="var(--note-text)">
      <Box flex="1 1 240px" fz="sm">
        {hasLinks
          ? 'These links are paused: sharing is part of the paid plans. Upgrade, and they work again until their last day.'
          : 'Sharing is part of the paid plans, from Starter up. You can see your own analytics on every plan.'}
      </Box>
      <PlansButton />
    </Group>
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

function ShareRow({ code, share, isInPlan, isNew, onClosed }: RowProps) {
  const { link, note, endsAt, lastOpenedAt, pausedAt } = share
  const resume = useResumeShare(code)
  const copy = useRef<HTMLButtonElement>(null)
  // A new link is most often copied next.
  useEffect(() => {
    if (isNew) copy.current?.focus()
  }, [isNew])
  const name = note || `until ${formatDay(endsAt)}`
  const ask = () =>
    confirm({
      title: 'Revoke this link?',
      text: 'The link will stop working for everyone who has it. You can create a new one anytime.',
      stay: 'Keep it',
      go: 'Revoke it',
      onGo: () => endShare(code, share),
      busyText: 'Revoking…',
      onClosed,
    })
  return (
    <Stack
      component="li"
      gap={8}
      py={14}
      style={{ borderTop: '1px solid var(--line)', overflowWrap: 'anywhere' }}
    >
      {(note || pausedAt) && (
        <Group gap={8}>
          {note && (
            <Text component="bdi" fw={600}>
              {note}
            </Text>
          )}
          {pausedAt && <PausedMark />}
        </Group>
      )}
      {pausedAt && (
        <Box fz="sm">
          We paused this link because we restored a backup, which can bring back links you had
          stopped. No one can open it until you turn it on again.
        </Box>
      )}
      {link ? (
        <Box
          component="input"
          w="100%"
          mih="var(--finger)"
          p="6px 10px"
          bd="1px solid var(--line)"
          bdrs="md"
          bg="var(--tint)"
          c="var(--text)"
          fz="max(var(--mantine-font-size-sm), var(--typed))"
          style={{ textOverflow: 'ellipsis' }}
          readOnly
          value={link}
          aria-label={`Link: ${name}`}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      ) : (
        <Box c="dimmed" fz="sm">
          {pausedAt
            ? 'We can’t show this link anymore.'
            : 'We can’t show this link anymore, but it still works.'}
        </Box>
      )}
      <Box c="dimmed" fz="sm">
        {isInPlan ? 'Ends' : 'Paused; ends'} {formatDay(endsAt)}.{' '}
        {lastOpenedAt ? `Last opened ${formatDay(lastOpenedAt)}.` : 'Not opened yet.'}
      </Box>
      <Group gap={8}>
        {pausedAt && (
          <ResumeButton
            name={name}
            isBusy={resume.isPending}
            onClick={() => resume.mutate(share)}
          />
        )}
        {link && !pausedAt && (
          <Button
            ref={copy}
            size="xs"
            variant={isNew ? 'filled' : 'default'}
            leftSection={<Copy size={14} />}
            onClick={() => void copyShare(link)}
            aria-label={`Copy link: ${name}`}
          >
            Copy link
          </Button>
        )}
        {link && isInPlan && !pausedAt && (
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
        <PlainButton size="xs" onClick={ask} aria-label={`Revoke: ${name}`}>
          Revoke
        </PlainButton>
      </Group>
    </Stack>
  )
}
