import { LIST_MAX } from '../code-values.ts'
import { codeListQuery } from '../codes.ts'
import { z } from '../zod.ts'

/** The first line of a table of codes. An import knows these titles. */
export const codeTableTitles = [
  ...['Short link', 'Destination', 'Name', 'Custom URL', 'Tags'],
  ...['Scans', 'Visitors', 'Created', 'Status'],
]

/** Query of GET /api/qr-codes/export.csv: the codes of such a list, in its order, at most 10,000. */
export const codeTableQuery = codeListQuery.pick({ q: true, status: true, tag: true, sort: true })

/** Body of POST /api/qr-codes/export.csv: these codes, in their order. */
export const codeTableAsked = z.object({
  ids: z
    .array(z.string())
    .min(1, 'Choose at least one QR code')
    .max(LIST_MAX, `Choose at most ${LIST_MAX.toLocaleString('en-US')} QR codes`),
})
export type CodeTableAsked = z.infer<typeof codeTableAsked>

/** Largest body of that call, in bytes. */
export const CODE_TABLE_BODY_MAX = 512 * 1024
