import { Box, Group, List, Progress, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { DELETION_DAYS } from '#contract/accounts/account-settings.ts'
import type { User } from '#contract/accounts/accounts.ts'
import { plans } from '#contract/billing/plans.ts'
import { DAY_MS } from '#contract/time.ts'
import { type Arrived, useArrivingFile, ZIP_MARK } from '../../files/arriving-file.ts'
import { formatCount, formatDay, formatNumber } from '../../formats.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Section } from '../../ui/section.tsx'
import { isInOwn, useMay } from '../../workspace.ts'
import { refreshAccount } from '../queries.ts'
import { Deletion } from './deletion.tsx'
import type { SectionProps } from './sections.ts'

export function LeaveSection({ user, account: { deletionAt } }: SectionProps) {
  const mayExport = useMay('GET /api/account/export')
  return (
    <>
      {mayExport && (
        <Section
          title="Take your links with you"
          text="One ZIP with all your QR codes: their pictures, their data, and redirects for your own server (nginx, Caddy, Netlify, or a spreadsheet)."
        >
          <TakeLinks />
        </Section>
      )}
      <Deletion what="account" name="your account" deletionAt={deletionAt}>
        <WhatHappens user={user} />
      </Deletion>
    </>
  )
}

function WhatHappens({ user }: { user: User }) {
  const end = formatDay(new Date(Date.now() + DELETION_DAYS * DAY_MS))
  const { name, tier } = plans[user.subscriptionTier]
  const { workspaces: all = [] } = user
  const owned = all.filter(({ role }) => role === 'owner')
  const sentences = [
    `Your QR codes keep working for ${DELETION_DAYS} days, until ${end}. After that, visitors see a page that says the code no longer works. No one else ever gets its link.`,
    ...(tier === 'free' || !isInOwn(user) ? [] : [`Your ${name} plan won’t renew.`]),
    ...(owned.length > 1 ? ['The other workspaces you own are deleted, too.'] : []),
    ...(owned.length < all.length
      ? ['You leave the workspaces of others. What you made there stays.']
      : []),
    'Until then you can restore everything: log in and choose “Restore account”.',
    `On ${end}, your codes, scans, pictures, and settings are deleted for good.`,
  ]
  return (
    <>
      <List size="sm" spacing={8}>
        {sentences.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {isInOwn(user) && (
        <>
          <Text size="sm" mt="md" mb="xs">
            Want to download your links and pictures first?
          </Text>
          <TakeLinks />
        </>
      )}
    </>
  )
}

const LINKS = { path: '/api/account/export', type: 'application/zip', mark: ZIP_MARK }

/** Downloads the zip and shows its progress. */
function TakeLinks() {
  const { arrived, fetchFile, stop } = useArrivingFile(
    'The download stopped early. Please try again.',
  )
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  const start = async () => {
    if (!(await fetchFile(() => LINKS))) return
    toast.success('Links downloaded')
    void refreshAccount()
  }
  return (
    <Box ref={area} tabIndex={-1} w="100%">
      {arrived ? (
        <>
          <Progress value={percentOf(arrived)} aria-label="Download of your links" />
          <Group justify="space-between" mt="xs">
            <Text size="sm">{textOf(arrived)}</Text>
            <PlainButton size="xs" onClick={stop}>
              Stop
            </PlainButton>
          </Group>
        </>
      ) : (
        <PlainButton leftSection={<Download size={16} aria-hidden />} onClick={start}>
          Download my links
        </PlainButton>
      )}
    </Box>
  )
}

const percentOf = ({ parts, total }: Arrived) => (total > 0 ? (100 * parts) / total : 0)

function textOf({ parts, total, bytes }: Arrived): string {
  if (bytes === 0) return 'Preparing your ZIP...'
  return `File ${formatCount(parts)} of ${formatCount(total)}, ${formatNumber(bytes / 1e6, 1)} MB so far`
}
