import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** Rows put into JSON without a pause: about a millisecond, which a redirect can wait. */
const PART_ROWS = 100

/**
 * A list as JSON.stringify would give it, made in parts, so that redirects are answered in between.
 */
export const jsonList = <Row>(rows: readonly Row[], present: (row: Row) => unknown) =>
  listOfTexts(rows, (row) => JSON.stringify(present(row)))

/** The same of rows that are JSON already. @param partRows rows that are made without a pause */
export async function listOfTexts<Row>(
  rows: readonly Row[],
  textOf: (row: Row, index: number) => string,
  partRows = PART_ROWS,
): Promise<Buffer> {
  const parts = [Buffer.from('[')]
  for (let start = 0; start < rows.length; start += partRows) {
    if (start > 0) await nextTurn()
    const some = rows.slice(start, start + partRows)
    const json = some.map((row, index) => textOf(row, start + index)).join(',')
    parts.push(Buffer.from(start > 0 ? `,${json}` : json))
  }
  parts.push(Buffer.from(']'))
  return Buffer.concat(parts)
}

/** A part of a list, with the cursor of the next one. */
export const jsonPart = (items: Buffer, nextCursor: string | null) =>
  Buffer.concat([
    Buffer.from('{"items":'),
    items,
    Buffer.from(`,"nextCursor":${JSON.stringify(nextCursor)}}`),
  ])

/**
 * Sends a list as bytes, which the response schema does not touch: checking 10,000 codes would hold up
 * all else. The presenter's type holds it to the schema instead.
 */
export function sendList(reply: FastifyReply, json: Buffer) {
  return reply.type('application/json; charset=utf-8').send(json)
}
