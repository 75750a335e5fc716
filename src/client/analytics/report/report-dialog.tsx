import { Alert, Button, Modal, Skeleton } from '@mantine/core'
import { Printer } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ScansByCode } from '#contract/analytics/analytics.ts'
import type { QrCode } from '#contract/codes.ts'
import { serverMessageOf } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { counted } from '../../ui/formats.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useSignedOut } from '../../ui/sign-in-again.ts'
import { BAD_TEXT } from '../../ui/theme.ts'
import { callQuery, type View } from '../drawer/asked/view.ts'
import { useView } from '../drawer/asked/view-address.ts'
import { codesByScans } from '../drawer/lists/codes-by-scans.tsx'
import { useScansByCode } from '../drawer/queries.ts'
import { ALL, useAskedStats } from '../stats-address.ts'
import { closeReport, useAskedForReport } from './report-address.ts'
import styles from './report-dialog.module.css'
import { ReportPage } from './report-page.tsx'
import { CODES_MAX, codesText, missingText } from './report-words.ts'
import { TOP, type TopRow } from './top-values.ts'
import { type Subject, usePages } from './use-pages.ts'

/** The drawer may be open below. */
const ABOVE_DRAWER = 220

export type ReportProps = {
  /** Undefined while they are read. */
  codes: readonly QrCode[] | undefined
  linkOf: ((code: QrCode) => string) | undefined
}

type LinkOf = NonNullable<ReportProps['linkOf']>

/** The report that the page's address asks for: the pages as they are printed. */
export function ReportDialog({ codes, linkOf }: ReportProps) {
  const asked = useAskedStats()
  const isReport = useAskedForReport()
  const view = useView()
  const isThere = asked === ALL || codes?.some(({ id }) => id === asked) === true
  const isGone = isReport && codes !== undefined && !isThere
  const [opened, setOpened] = useState(false)
  // After the first drawing: only then is it known what had the focus before.
  useEffect(() => setOpened(isReport && isThere), [isReport, isThere])
  useEffect(() => {
    if (isGone) void closeReport()
  }, [isGone])
  const shown = useLast(
    isReport && isThere && asked !== null && codes && linkOf
      ? { query: callQuery(asked, view), asked, view, codes, linkOf }
      : null,
  )
  const code = shown?.codes.find(({ id }) => id === shown.asked)
  const title = code ? `Report of ${code.name}` : 'Report of all QR codes'
  useFileName(opened ? title : null)
  return (
    <Modal
      opened={opened}
      onClose={() => void closeReport()}
      title={
        code ? (
          <>
            Report of <bdi>{code.name}</bdi>
          </>
        ) : (
          title
        )
      }
      fullScreen
      zIndex={ABOVE_DRAWER}
      transitionProps={{ transition: 'fade', duration: 160 }}
      className={styles.root ?? ''}
      classNames={{
        content: styles.content,
        header: styles.header,
        title: styles.title,
        body: styles.body,
      }}
    >
      <PanelBoundary what="The report">
        {shown && code && <OfCode key={shown.query} {...shown} code={code} />}
        {shown && !code && <OfAll key={shown.query} {...shown} />}
      </PanelBoundary>
    </Modal>
  )
}

/** It does not empty while it goes, and codes that are read again do not begin it anew. */
function useLast<Shown>(shown: Shown | null) {
  const last = useRef(shown)
  if (shown) last.current = shown
  return last.current
}

/** A browser offers the page's title as the name of a file. */
function useFileName(title: string | null) {
  useEffect(() => {
    if (title === null) return
    const before = document.title
    document.title = `${title} – Tessera`
    return () => {
      document.title = before
    }
  }, [title])
}

type OfCodeProps = { code: QrCode; view: View; linkOf: LinkOf }

function OfCode({ code, view, linkOf }: OfCodeProps) {
  const [subjects] = useState([subjectOf(code, linkOf)])
  return <Pages subjects={subjects} view={view} codes={null} note={null} />
}

const subjectOf = (code: QrCode, linkOf: LinkOf): Subject => ({
  ...{ id: code.id, code, link: linkOf(code) },
})

const TOTAL: Subject = { id: ALL, code: null, link: null }

type OfAllProps = { codes: readonly QrCode[]; view: View; linkOf: LinkOf }

/** Which codes come first is known once their scans are read. */
function OfAll(props: OfAllProps) {
  const { data, error, refetch } = useScansByCode({ enabled: true })
  useSignedOut(error)
  if (data) return <OfAllCodes {...props} scans={data} />
  if (error) return <LoadFailure what="The report" error={error} onRetry={refetch} />
  return <Skeleton className={styles.waiting} />
}

function OfAllCodes({ codes, scans, view, linkOf }: OfAllProps & { scans: ScansByCode }) {
  const [plan] = useState(() => {
    const byId = new Map(codes.map((code) => [code.id, code]))
    const { most } = codesByScans(codes, scans, new Date())
    const first = most.slice(0, CODES_MAX).flatMap(({ id }) => byId.get(id) ?? [])
    const top = most.slice(0, TOP).map(({ id, name, total }): TopRow => {
      return { key: id, label: name, scans: total }
    })
    const text = codesText(first.length, codes.length)
    return {
      subjects: [TOTAL, ...first.map((code) => subjectOf(code, linkOf))],
      codes: text === null ? null : { top, text },
      note: codes.length > first.length ? text : null,
    }
  })
  return <Pages {...plan} view={view} />
}

type PagesProps = {
  subjects: readonly Subject[]
  view: View
  codes: { top: readonly TopRow[]; text: string } | null
  note: string | null
}

function Pages({ subjects, view, codes, note }: PagesProps) {
  const { results, again } = usePages(subjects, view)
  const [madeAt] = useState(() => new Date())
  const missing = useMemo(
    () =>
      subjects.flatMap(({ id, code }) => {
        const result = results.get(id)
        const name = code?.name ?? 'all QR codes'
        return result && 'missing' in result ? [{ name, ...result.missing }] : []
      }),
    [subjects, results],
  )
  const error = missing[0]?.error
  useSignedOut(error instanceof Error ? error : null)
  const isReading = results.size < subjects.length
  return (
    <>
      <div className={styles.tools}>
        <BusyButton
          leftSection={<Printer size={18} aria-hidden />}
          busy={isReading || missing.length > 0}
          busyText={
            isReading ? progressText(results.size, subjects.length) : 'Some figures are missing'
          }
          onClick={() => window.print()}
        >
          Print
        </BusyButton>
        <Button variant="default" onClick={() => void closeReport()}>
          Back
        </Button>
        <p className={styles.note}>
          {counted(subjects.length, 'page')}, for A4 or Letter. {note}
        </p>
        <p role="status" className={styles.words}>
          {isReading ? '' : 'The report is complete.'}
        </p>
      </div>
      {!isReading && missing.length > 0 && (
        <Alert
          color={BAD_TEXT}
          variant="outline"
          role="alert"
          title="Some figures could not be loaded"
          className={styles.missing ?? ''}
        >
          <p className={styles.which}>{missingText(missing)}</p>
          <p className={styles.which}>
            {serverMessageOf(error) ?? 'The server did not answer as expected.'}
          </p>
          <Button variant="default" size="xs" onClick={again}>
            Try again
          </Button>
        </Alert>
      )}
      <div className={styles.pages}>
        {subjects.map((subject, index) => (
          <ReportPage
            key={subject.id}
            {...{ subject, view, madeAt }}
            result={results.get(subject.id)}
            number={subjects.length > 1 ? `${index + 1} of ${subjects.length}` : null}
            codes={subject.code ? null : codes}
          />
        ))}
      </div>
    </>
  )
}

function progressText(read: number, all: number): string {
  if (all === 1) return 'Getting the figures'
  // The first page is that of all codes.
  return `Getting the figures of ${Math.min(read + 1, all)} of ${all} pages`
}
