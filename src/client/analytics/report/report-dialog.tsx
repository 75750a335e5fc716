import { Alert, Box, Group, Modal, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { Printer } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Ranking } from '#contract/analytics/figures.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { serverMessageOf } from '../../api.ts'
import { counted } from '../../formats.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { useSignedOut } from '../../ui/messages/sign-in-again.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import rows from '../../ui/rows.module.css'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { useRanking } from '../drawer/queries.ts'
import { useAskedDialog } from '../drawer/view/asked-dialog.ts'
import { Choice } from '../drawer/view/choice.tsx'
import { callQuery, useView, type View } from '../drawer/view/view.ts'
import { closeReport, useAskedForReport } from '../stats-address.ts'
import { idOf, type LinkOf, type Subject, usePages } from './pages.ts'
import styles from './report.module.css'
import { ReportPage, type TopCodes } from './report-page.tsx'
import {
  CODES_MAX,
  type CodePages,
  codesText,
  listedCodes,
  missingText,
  pageChoices,
  topCodes,
} from './report-words.ts'

/** The drawer may be open below. */
const ABOVE_DRAWER = 220

type Props = {
  /** Undefined while they are read. */
  codes: readonly QrCode[] | undefined
  linkOf: LinkOf | undefined
}

/** The report that the page's address asks for: the pages as they are printed. */
export function ReportDialog({ codes, linkOf }: Props) {
  const isReport = useAskedForReport()
  const view = useView()
  const known = codes && linkOf && { view, codes, linkOf }
  const { opened, shown } = useAskedDialog(isReport, codes, known, closeReport)
  const query = shown && callQuery(shown.code, shown.view)
  const code = shown?.codes.find(({ id }) => id === shown.code)
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
        title: rows.words,
        body: styles.body,
      }}
    >
      <PanelBoundary what="The report">
        {shown && code && <OfCode key={query} {...shown} code={code} />}
        {shown && !code && <OfAll key={query} {...shown} />}
      </PanelBoundary>
    </Modal>
  )
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

function OfCode({ code, ...known }: OfCodeProps) {
  const [subjects] = useState([code])
  return <Pages subjects={subjects} codes={null} note={null} {...known} />
}

type OfAllProps = { codes: readonly QrCode[]; view: View; linkOf: LinkOf }

/** The codes with scans are known once they are read. */
function OfAll(props: OfAllProps) {
  const { data, error, refetch } = useRanking(props.view, { enabled: true })
  useSignedOut(error)
  if (data) return <OfAllCodes {...props} now={data} />
  if (error) return <LoadFailure what="The report" reading={{ error, refetch }} />
  return <Skeleton h="60vh" className={styles.column} />
}

/** The summary, and on request a page for each code. A scan that comes in the meantime changes nothing. */
function OfAllCodes({ codes, now, view, linkOf }: OfAllProps & { now: Ranking }) {
  const [ranking] = useState(now)
  const [pages, setPages] = useState<CodePages>('none')
  const choices = useMemo(() => listedCodes(codes, ranking), [codes, ranking])
  const subjects = useMemo(() => [null, ...choices[pages].slice(0, CODES_MAX)], [choices, pages])
  const text = codesText(subjects.length - 1, choices[pages].length)
  return (
    <Pages
      subjects={subjects}
      view={view}
      linkOf={linkOf}
      codes={{ top: topCodes(ranking), all: ranking.scans, text }}
      note={choices[pages].length > CODES_MAX ? text : null}
    >
      <Choice label="Pages" options={pageChoices(choices)} value={pages} onChange={setPages} />
    </Pages>
  )
}

type PagesProps = {
  subjects: readonly Subject[]
  view: View
  linkOf: LinkOf
  codes: TopCodes | null
  note: string | null
  /** The choice of pages */
  children?: ReactNode
}

function Pages({ subjects, view, linkOf, codes, note, children }: PagesProps) {
  const { results, again } = usePages(subjects, view, linkOf)
  const [madeAt] = useState(() => new Date())
  const missing = subjects.flatMap((code) => {
    const result = results.get(idOf(code))
    const name = code?.name ?? 'all QR codes'
    return result && 'missing' in result ? [{ name, ...result.missing }] : []
  })
  const error = missing[0]?.error
  useSignedOut(error instanceof Error ? error : null)
  const isReading = results.size < subjects.length
  return (
    <>
      <Group justify="center" gap="8px 12px" className={styles.tools}>
        <BusyButton
          leftSection={<Printer size={18} />}
          busy={isReading || missing.length > 0}
          busyText={
            isReading ? progressText(results.size, subjects.length) : 'Some pages aren’t complete'
          }
          onClick={() => window.print()}
        >
          Print
        </BusyButton>
        <PlainButton onClick={() => void closeReport()}>Back</PlainButton>
        {children}
        <Box c="dimmed" fz="sm">
          {counted(subjects.length, 'page')}, for A4 or Letter. {note}
        </Box>
        <VisuallyHidden role="status">{isReading ? '' : 'The report is complete.'}</VisuallyHidden>
      </Group>
      {!isReading && missing.length > 0 && (
        <Alert
          color={BAD_TEXT}
          variant="outline"
          role="alert"
          title="Some analytics couldn’t be loaded"
          className={styles.column ?? ''}
        >
          <Stack component="p" gap={10} mb={10}>
            <span>{missingText(missing)}</span>
            <span>{serverMessageOf(error) ?? 'The server didn’t answer as expected.'}</span>
          </Stack>
          <PlainButton size="xs" onClick={again}>
            Try again
          </PlainButton>
        </Alert>
      )}
      <Stack gap={20} align="center" className={styles.pages}>
        {subjects.map((code, index) => (
          <ReportPage
            key={idOf(code)}
            code={code}
            link={code && linkOf(code)}
            view={view}
            madeAt={madeAt}
            result={results.get(idOf(code))}
            number={subjects.length > 1 ? `${index + 1} of ${subjects.length}` : null}
            codes={code ? null : codes}
          />
        ))}
      </Stack>
    </>
  )
}

function progressText(read: number, all: number): string {
  if (all === 1) return 'Loading…'
  // The first page is that of all codes.
  return `Loading page ${Math.min(read + 1, all)} of ${all}`
}
