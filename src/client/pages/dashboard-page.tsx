import { Box, Button, Card, Container, Group, Stack, Text, Title } from '@mantine/core'
import { Plus } from 'lucide-react'
import {
  type FunctionComponent,
  memo,
  useCallback,
  useDeferredValue,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Redirect } from 'wouter'
import type { User } from '#contract/accounts/accounts.ts'
import type { Subscription } from '#contract/billing/billing.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { AccountNotes } from '../accounts/account-notes.tsx'
import { AccountFailure } from '../accounts/account-page.tsx'
import { useConfig, useUser } from '../accounts/queries.ts'
import { SiteHeader } from '../accounts/site-header.tsx'
import { CodeScans } from '../analytics/code-scans.tsx'
import { LateFigures } from '../analytics/late-figures.tsx'
import { Live } from '../analytics/live/live.ts'
import { PerformanceStats } from '../analytics/performance-stats.tsx'
import { useUserAnalytics } from '../analytics/queries.ts'
import { ScansOverview } from '../analytics/scans-overview.tsx'
import { type PlanUsage, StatCards } from '../analytics/stat-cards.tsx'
import { Stats } from '../analytics/stats.tsx'
import { openStats, useAskedStats } from '../analytics/stats-address.ts'
import {
  placesLeft,
  shownCount,
  shownSubscription,
  usagePercent,
  usageText,
  WARNING_PERCENT,
} from '../billing/plans/usage.ts'
import { usePaymentReturn, useSubscription } from '../billing/queries.ts'
import {
  CodeDialog,
  HistoryDialog,
  ImportDialog,
  PrintDialog,
  ReadyDialog,
  RulesDialog,
} from '../codes/address-dialogs.tsx'
import { importAddress, openNewCode, seriesAddress } from '../codes/addresses.ts'
import { useCodeDialog } from '../codes/editor/dialog-state.ts'
import { EndingNote } from '../codes/ending.tsx'
import { linkOf } from '../codes/links.ts'
import { ListHeader, NoCodes } from '../codes/list/list-header.tsx'
import { YourCodes } from '../codes/list/your-codes.tsx'
import { OwnerContext } from '../codes/owner.ts'
import { useCodes } from '../codes/queries.ts'
import { SeriesDialog } from '../codes/series/series-dialog.tsx'
import { LateDialog, useOnPhone } from '../ui/dialog/dialog.tsx'
import { focusUnlessReturned } from '../ui/focus.ts'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../ui/messages/panel-boundary.tsx'
import { useSignedOut } from '../ui/messages/sign-in-again.ts'
import { CONTENT_ID, PageSpinner, PartSpinner, SkipLink, usePageTitle } from '../ui/page/page.tsx'
import { PlainButton } from '../ui/plain-button.tsx'
import { PLANS } from '../ui/plans-link.tsx'
import { useShortcut } from '../ui/shortcut.ts'
import { Spinner } from '../ui/spinner.tsx'
import { useMay } from '../workspace.ts'
import styles from './dashboard-page.module.css'

export default function DashboardPage() {
  usePageTitle('QR Code Dashboard')
  const user = useUser()
  const signedOut = useSignedOut(user.error)
  const mayRead = useMay('GET /api/qr-codes')
  // An answer would draw the page in one go. Deferred, it comes in slices: a slow phone stays usable.
  const isDrawn = useDeferredValue(!user.isPending)
  if (user.isPending || !isDrawn || signedOut) return <PageSpinner />
  if (!user.data) return <AccountFailure user={user} />
  // A member for billing sees no codes.
  if (!mayRead) return <Redirect to="/profile" replace />
  return <Dashboard user={user.data} />
}

function Dashboard({ user }: { user: User }) {
  const listTitle = useRef<HTMLHeadingElement>(null)
  const focusList = useCallback(
    (opener: HTMLElement | null) =>
      focusUnlessReturned(() => (opener ?? listTitle.current)?.focus()),
    [],
  )
  const focusTitle = useCallback(() => listTitle.current?.focus(), [])
  const codes = useCodes()
  const isListDrawn = useDeferredValue(codes.data !== undefined)
  const [opened, setOpened] = useState<keyof typeof listDialogs | null>(null)
  const dialog = useCodeDialog(user, codes.data)
  const isCovered = useAskedStats() !== null
  const mayEdit = useMay('POST /api/qr-codes')
  useShortcut('c', () => mayEdit && openNewCode())
  useShortcut('?', () => setOpened('shortcuts'))
  useSignedOut(codes.error)
  usePaymentReturn()
  const config = useConfig()
  const hostUrl = config.data?.hostUrl ?? window.location.origin
  const hasRegions = config.data?.hasRegions ?? false
  const owner = useMemo(
    () => ({ user, tier: user.subscriptionTier, isDemo: Boolean(user.demo), hostUrl, hasRegions }),
    [user, hostUrl, hasRegions],
  )
  // On a phone people come for a code: the list is before the chart, for the eye and for the keyboard.
  const onPhone = useOnPhone()
  // Only codes of the free plan end. Everything below waits for the codes, because the note about an end would push it down.
  const awaitsNote = user.subscriptionTier === 'free' && codes.isPending
  const chart = <ScansOverview key="chart" />
  const list = (
    <Card key="list" component="section" withBorder padding={0} aria-labelledby="your-codes">
      <ListHeader
        titleRef={listTitle}
        onBin={() => setOpened('bin')}
        onTags={() => setOpened('tags')}
        onImport={() => importAddress.open()}
        hasCodes={codes.data !== undefined && codes.data.length > 0}
        onShortcuts={() => setOpened('shortcuts')}
      />
      {(codes.isPending || (codes.data && !isListDrawn)) && (
        <PartSpinner label="Loading your QR codes" py={56} />
      )}
      {codes.isError && (
        <Box px="md" pb="md">
          <LoadFailure what="Your QR codes" reading={codes} />
        </Box>
      )}
      {isListDrawn && codes.data?.length === 0 && <NoCodes onCreate={openNewCode} />}
      {isListDrawn && codes.data && codes.data.length > 0 && (
        <PanelBoundary what="Your list">
          <YourCodes
            codes={codes.data}
            renderScans={scansOf}
            onStats={openStats}
            onFocusLost={focusTitle}
          />
        </PanelBoundary>
      )}
    </Card>
  )
  return (
    <OwnerContext value={owner}>
      <SkipLink to={CONTENT_ID}>Skip to content</SkipLink>
      <SkipLink to="your-codes">Skip to your codes</SkipLink>
      <Head user={user} />
      <Live />
      <Container
        component="main"
        id={CONTENT_ID}
        tabIndex={-1}
        size="xl"
        py={onPhone ? 'md' : 'xl'}
      >
        <Stack gap="lg" className={awaitsNote ? styles.awaitsNote : undefined}>
          <Notes user={user} />
          <Group justify="space-between" align="center">
            <div>
              <Title>QR Code Dashboard</Title>
              <Text c="dimmed">Manage and track your QR codes</Text>
            </div>
            {mayEdit && (
              <Group gap="xs">
                <Button
                  leftSection={<Plus size={18} aria-hidden />}
                  onClick={openNewCode}
                  aria-keyshortcuts="C"
                >
                  Create New QR Code
                </Button>
                <PlainButton px="sm" onClick={() => seriesAddress.open()}>
                  Create a series
                </PlainButton>
              </Group>
            )}
          </Group>
          {awaitsNote && <Spinner label="Loading your dashboard" />}
          {codes.data && <EndingNote codes={codes.data} />}
          <LateFigures />
          <AccountFigures />
          {/* Below the list, the chart waits for it: it would be pushed down. */}
          {onPhone ? [list, isListDrawn || codes.isError ? chart : null] : [chart, list]}
        </Stack>
      </Container>
      <CodeDialog
        dialog={dialog}
        renderStats={statsOf}
        isCovered={isCovered}
        onClosed={focusList}
      />
      <Stats
        codes={codes.data}
        linkOf={config.isPending ? undefined : (code) => linkOf(hostUrl, code)}
        onClosed={() => focusList(null)}
      />
      <ReadyDialog codes={codes.data} load={loadReady} onClosed={() => focusList(dialog.opener())}>
        {({ ReadyCode, ScanNow }, about) => (
          <ReadyCode {...about} scan={<ScanNow key={about.code.id} code={about.code} />} />
        )}
      </ReadyDialog>
      <HistoryDialog codes={codes.data} onClosed={() => focusList(null)} />
      {mayEdit && (
        <>
          <PrintDialog codes={codes.data} onClosed={() => focusList(null)} />
          <RulesDialog codes={codes.data} onClosed={() => focusList(null)} />
          <Series />
          <ImportDialog onClosed={() => focusList(null)} />
        </>
      )}
      {Object.entries(listDialogs).map(([name, about]) => (
        <LateDialog key={name} {...about} opened={opened === name} onClose={() => setOpened(null)}>
          {({ Content }) => <Content />}
        </LateDialog>
      ))}
    </OwnerContext>
  )
}

// The page is drawn several times as its answers come. These parts change with nothing but the account.
const Head = memo(SiteHeader)
const Notes = memo(AccountNotes)

/** The dialogs that the list opens. */
const listDialogs = {
  bin: {
    title: 'Trash',
    what: 'Your trash',
    size: 'lg',
    load: async (): Promise<{ Content: FunctionComponent }> => ({
      Content: (await import('../codes/list/bin-dialog.tsx')).Bin,
    }),
  },
  tags: {
    title: 'Tags',
    what: 'Your tags',
    size: 'lg',
    load: async () => ({ Content: (await import('../codes/tags/tags-dialog.tsx')).Tags }),
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    what: 'The shortcuts',
    load: async () => ({
      Content: (await import('../codes/list/shortcuts-dialog.tsx')).Shortcuts,
    }),
  },
}

/** Two parts, fetched at once */
const loadReady = async () => {
  const [ready, scan] = await Promise.all([
    import('../codes/ready/ready-code.tsx'),
    import('../analytics/scan-now.tsx'),
  ])
  return { ...ready, ...scan }
}

const statsOf = ({ id }: QrCode) => <PerformanceStats id={id} />

const scansOf = ({ id, name, scanLimit }: QrCode) => (
  <CodeScans id={id} name={name} limit={scanLimit} />
)

const Series = memo(function Series() {
  const { data } = useSubscription({ enabled: true })
  return <SeriesDialog places={data && placesLeft(data)} />
})

const AccountFigures = memo(function AccountFigures() {
  const analytics = useUserAnalytics({ enabled: true })
  const subscription = useSubscription({ enabled: true })
  const mayPay = useMay('POST /api/create-checkout-session')
  // Figures that were read once stay when a later reading fails.
  const figures = analytics.data ?? (analytics.isError ? null : undefined)
  const shown = shownSubscription(subscription, figures?.totalQrCodes)
  return (
    <StatCards
      analytics={figures}
      codeCount={shownCount(figures, shown)}
      planUsage={shown && planUsage(shown, mayPay)}
    />
  )
})

function planUsage(usage: Subscription, mayPay: boolean): PlanUsage {
  const percent = usagePercent(usage)
  const isNearLimit = percent !== null && percent > WARNING_PERCENT
  return { text: usageText(usage), percent, upgrade: isNearLimit && mayPay ? PLANS : undefined }
}
