import { CloseButton, Group, Progress, Stack } from '@mantine/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ScansFile } from '#contract/analytics/figures.ts'
import { request, requestJson } from '../../../api.ts'
import { collect } from '../../../files/arriving-file.ts'
import { saveFile } from '../../../files/save-file.ts'
import { counted, formatCount, formatDay } from '../../../formats.ts'
import { reportFailure } from '../../../ui/messages/failure.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import rows from '../../../ui/rows.module.css'
import { inWorkspace } from '../../../workspace.ts'
import type { Asked } from '../queries.ts'
import { callQuery } from '../view/view.ts'
import { nounOf } from '../words.ts'

/** A file with more scans, some 30 MB, is saved by the browser itself: the page does not hold it. */
const HELD_MAX = 200_000

const addressOf = (query: string) => `/api/analytics/scans.csv${query}`

type Way = { signal: AbortSignal; tell: (scans: number) => void }

/** Fetches the whole file, and calls `tell` with the scans that have come. @throws ApiError, or if it breaks off */
export async function fetchScans(query: string, { signal, tell }: Way): Promise<Blob> {
  const response = await request('GET', addressOf(query), undefined, {}, signal)
  // The first line has the titles.
  let lines = -1
  return collect(response, 'text/csv', (bytes) => {
    lines += linesIn(bytes)
    tell(lines)
  })
}

const LINE_FEED = 10

function linesIn(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++
  return lines
}

/** The browser's own downloads have a bar, and a way to stop. The server names the file. */
function letBrowserSave(query: string): void {
  const anchor = document.createElement('a')
  anchor.href = inWorkspace(addressOf(query))
  anchor.download = ''
  anchor.click()
}

const FAILED = 'The download broke off. Please try again.'

/** The progress of a file of scans: `total` is null until it is known. */
type Coming = { noun: string; come: number; total: number | null }

/** Saves the single scans that a view asks for, one file at a time. */
export function useScansFile() {
  const [coming, setComing] = useState<Coming | null>(null)
  const [said, setSaid] = useState<string | null>(null)
  const way = useRef(new AbortController())
  useEffect(() => () => way.current.abort(), [])

  const save = async ({ code, view }: Asked) => {
    way.current.abort()
    way.current = new AbortController()
    const { signal } = way.current
    const noun = nounOf(view.kind)
    const query = callQuery(code, { ...view, by: undefined })
    setSaid(null)
    setComing({ noun, come: 0, total: null })
    try {
      const file = await requestJson<ScansFile>('GET', `/api/analytics/scans${query}`)
      signal.throwIfAborted()
      if (isHeld(file)) {
        const { scans: total, name } = file
        const tell = (come: number) => setComing({ noun, total, come: Math.min(come, total) })
        saveFile(await fetchScans(query, { signal, tell }), name)
      } else if (file.scans !== 0) letBrowserSave(query)
      setSaid(wordsOn(file, noun))
    } catch (error) {
      if (signal.aborted) return
      reportFailure(error, FAILED)
    }
    setComing(null)
  }
  const cancel = () => {
    way.current.abort()
    setComing(null)
  }
  return { coming, said, save, cancel, close: () => setSaid(null) }
}

const isHeld = (file: ScansFile): file is ScansFile & { scans: number } =>
  file.scans !== null && file.scans > 0 && file.scans <= HELD_MAX

/** The message at the end. */
function wordsOn(file: ScansFile, noun: string): string {
  const { scans, from, isCut } = file
  const kept = isCut ? ` We keep individual ${noun}s since ${formatDay(from)}.` : ''
  if (scans === 0) return `There are no ${noun}s to download.${kept}`
  const begins = kept && `${kept} The file starts there.`
  if (isHeld(file)) return `${counted(scans as number, noun)} downloaded.${begins}`
  const many = scans === null ? '' : ` with ${counted(scans, noun)}`
  return `Your browser is downloading the file${many}. Its list of downloads shows the progress.${begins}`
}

type Props = Omit<ReturnType<typeof useScansFile>, 'save'>

/** The progress of the file of scans, at the foot of the drawer: it stays in sight. */
export function ScansProgress({ coming, said, cancel, close }: Props) {
  return (
    <>
      {coming && (
        <Bar>
          <Stack gap={6} flex={1}>
            <span style={{ fontVariantNumeric: 'tabular-nums' }}>
              {coming.total === null
                ? `Counting ${coming.noun}s…`
                : `${formatCount(coming.come)} of ${counted(coming.total, coming.noun)}`}
            </span>
            <Progress
              value={coming.total ? (100 * coming.come) / coming.total : 100}
              animated={coming.total === null}
              aria-label={`Downloading ${coming.noun}s`}
            />
          </Stack>
          <PlainButton size="xs" onClick={cancel}>
            Cancel
          </PlainButton>
        </Bar>
      )}
      {/* The drawer has a status of its own. */}
      <div aria-live="polite">
        {said && !coming && (
          <Bar>
            <span className={rows.words}>{said}</span>
            <CloseButton aria-label="Close this message" onClick={close} />
          </Bar>
        )}
      </div>
    </>
  )
}

const Bar = (props: { children: ReactNode }) => (
  <Group
    px={16}
    py={10}
    justify="space-between"
    wrap="nowrap"
    fz="sm"
    style={{ borderTop: '1px solid var(--line)' }}
    {...props}
  />
)
