import pLimit from 'p-limit'
import { useRef, useState } from 'react'
import type { CodeChange, CodeTableAsked, QrCode } from '#contract/codes/codes.ts'
import { figureFileName } from '#contract/file-names.ts'
import { isUnauthorized, request, serverMessageOf } from '../../api.ts'
import { saveFile } from '../../files/save-file.ts'
import { formatCount } from '../../formats.ts'
import { refreshAfterCodeChange } from '../../query-client.ts'
import { useCall } from '../../ui/call.ts'
import { importLazily } from '../../ui/dialog/lazy-import.ts'
import { reportPlainFailure } from '../../ui/messages/failure.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { zipAddress } from '../files.ts'
import { deleteCode, restoreCode } from '../queries.ts'
import { DEFAULT_LIST, listStateOf } from './code-list.ts'
import { countOf } from './questions.tsx'

/** Calls under way at once: enough to be quick, few enough to leave the server to others. */
const ABREAST = 4

export type BatchOutcome = { done: number; errors: unknown[] }

type Options = {
  /** Called after each item with the number tried so far. */
  onProgress: (tried: number) => void
  /** Stops the work early. Calls that have begun are finished. */
  signal: AbortSignal
}

/** Does the same to many, a few at a time. One that fails stops no other; an ended session stops all. */
export async function doToAll<Item>(
  items: readonly Item[],
  act: (item: Item) => Promise<unknown>,
  { onProgress, signal }: Options,
): Promise<BatchOutcome> {
  const errors: unknown[] = []
  let tried = 0
  await pLimit(ABREAST).map(items, async (item) => {
    if (signal.aborted || errors.some(isUnauthorized)) return
    await act(item).catch((error: unknown) => errors.push(error))
    onProgress(++tried)
  })
  return { done: tried - errors.length, errors }
}

/** At most this many codes in one zip: it is built in the browser's memory, with up to 0.2 MB a code. */
export const ZIP_CODES_MAX = 500

/** Work that is under way, as in "Pausing 3 of 12". */
export type Progress = { verb: string; done: number; total: number }

type Work = {
  /** As in "Pausing" */
  verb: string
  /** As in "12 QR codes paused" */
  past: string
  act: (code: QrCode) => Promise<unknown>
}

const setActive = (isActive: boolean) => (code: QrCode) =>
  request('PATCH', `/api/qr-codes/${code.id}`, { isActive } satisfies CodeChange)

const pausing: Work = { verb: 'Pausing', past: 'paused', act: setActive(false) }
const resuming: Work = { verb: 'Resuming', past: 'resumed', act: setActive(true) }
const deleting: Work = { verb: 'Deleting', past: 'deleted', act: ({ id }) => deleteCode(id) }
const restoring: Work = { verb: 'Restoring', past: 'restored', act: ({ id }) => restoreCode(id) }

/** Actions on many codes at once: one at a time, with its progress, and it can be stopped. */
export function useBatchActions() {
  const [progress, setProgress] = useState<Progress | null>(null)
  const stopping = useRef(new AbortController())

  const run = async (codes: readonly QrCode[], { verb, act }: Omit<Work, 'past'>) => {
    stopping.current = new AbortController()
    const total = codes.length
    setProgress({ verb, done: 0, total })
    return doToAll(codes, act, {
      signal: stopping.current.signal,
      onProgress: (done) => setProgress({ verb, done, total }),
    })
  }

  const change = async (codes: readonly QrCode[], work: Work, undone?: Work) => {
    const outcome = await run(codes, work)
    await refreshAfterCodeChange()
    setProgress(null)
    report(outcome, work.past, undone && (() => void change(codes, undone)))
  }

  const download = async (codes: readonly QrCode[]) => {
    const part = await importLazily(() => import('./zip-of-many.ts'))
    if (!part) return
    const { ZipOfMany, ZIP_OF_MANY } = part
    const zip = new ZipOfMany()
    const { errors } = await run(codes, {
      verb: 'Downloading',
      act: async (code) => {
        const response = await request('GET', zipAddress(code.id))
        zip.add(code, new Uint8Array(await response.arrayBuffer()))
      },
    })
    setProgress(null)
    if (stopping.current.signal.aborted) return
    if (errors.length > 0) reportErrors(errors, 'Failed to download QR codes')
    else saveFile(zip.toBlob(), ZIP_OF_MANY)
  }

  return {
    progress,
    pause: (codes: readonly QrCode[]) =>
      // Those that rested already stay as they were.
      change(
        codes.filter(({ isActive }) => isActive),
        pausing,
        resuming,
      ),
    resume: (codes: readonly QrCode[]) => change(codes, resuming),
    remove: (codes: readonly QrCode[]) => change(codes, deleting, restoring),
    download,
    stop: () => stopping.current.abort(),
  }
}

function report({ done, errors }: BatchOutcome, past: string, undo?: () => void): void {
  const text = `${countOf(done)} ${past}`
  if (errors.length === 0 && undo) toast.undoable(text, undo)
  else if (errors.length === 0) toast.success(text)
  else
    reportErrors(
      errors,
      `${countOf(errors.length)} of ${formatCount(done + errors.length)} couldn’t be ${past}`,
    )
}

/** Says once why some of many failed. */
export function reportErrors(errors: unknown[], what: string): void {
  const reason = errors.map(serverMessageOf).find(Boolean)
  reportPlainFailure(errors.find(isUnauthorized) ?? errors[0], reason ? `${what}. ${reason}` : what)
}

const TABLE_PATH = '/api/qr-codes/export.csv'

/** The query of a table with the codes that such a list shows. The server does not sort by status. */
export function tableQuery(search: string): string {
  const { q, status, tag, importId, sort } = listStateOf(search)
  const query = new URLSearchParams()
  if (q.trim()) query.set('q', q.trim())
  if (status !== 'all') query.set('status', status)
  if (tag) query.set('tag', tag)
  if (importId) query.set('importId', importId)
  if (sort !== DEFAULT_LIST.sort && !sort.endsWith('status')) query.set('sort', sort)
  return query.size > 0 ? `?${query}` : ''
}

/** Saves codes as CSV: these in their order, or those of the list that a query asks for, on all of its pages. */
export const useTableExport = () =>
  useCall(saveTable, { failed: 'The export didn’t finish. Please try again.' })

async function saveTable(asked: string | readonly QrCode[]): Promise<void> {
  const response =
    typeof asked === 'string'
      ? await request('GET', TABLE_PATH + tableQuery(asked))
      : await request('POST', TABLE_PATH, {
          ids: asked.map(({ id }) => id),
        } satisfies CodeTableAsked)
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const about = { name: undefined, what: 'qr-codes', from: today, to: today } as const
  saveFile(await response.blob(), figureFileName(about, 'csv'))
}
