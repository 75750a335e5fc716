import type { CodeTableAsked, QrCode } from '#contract/codes.ts'
import { figureFileName } from '#contract/file-names.ts'
import { request } from '../../api.ts'
import { saveFile } from '../../files/save-file.ts'
import { reportFailure } from '../../ui/messages/failure.ts'
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

/** Saves the codes of a list as CSV: all of its pages. */
export const saveListed = (search: string) =>
  saveTable(() => request('GET', PATH + tableQuery(search)))

/** Saves these codes as CSV, in their order. */
export const saveChosen = (codes: readonly QrCode[]) =>
  saveTable(() => {
    const asked: CodeTableAsked = { ids: codes.map(({ id }) => id) }
    return request('POST', PATH, asked)
  })

async function saveTable(ask: () => Promise<Response>): Promise<void> {
  try {
    const response = await ask()
    const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
    const name = figureFileName(
      { name: undefined, what: 'qr-codes', from: today, to: today },
      'csv',
    )
    saveFile(await response.blob(), name)
  } catch (error) {
    reportFailure(error, 'The export didn’t finish. Please try again.')
  }
}
