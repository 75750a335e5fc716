import type { CodeTableAsked, QrCode } from '#contract/codes.ts'
import { figureFileName } from '#contract/file-names.ts'
import { request } from '../../api.ts'
import { saveFile } from '../../files/save-file.ts'
import { useCall } from '../../ui/call.ts'
import { DEFAULT_LIST, listStateOf } from './code-list.ts'

const PATH = '/api/qr-codes/export.csv'

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
      ? await request('GET', PATH + tableQuery(asked))
      : await request('POST', PATH, { ids: asked.map(({ id }) => id) } satisfies CodeTableAsked)
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const about = { name: undefined, what: 'qr-codes', from: today, to: today } as const
  saveFile(await response.blob(), figureFileName(about, 'csv'))
}
