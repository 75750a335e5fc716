import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** Rows put into JSON at a stretch: about a millisecond, which a redirect can wait. */
const PART_ROWS = 100

/**
 * A list as JSON.stringify would give it, made a part at a time: whatever else has come meanwhile,
 * redirects above all, is answered in between. Nothing is sent before all of it is there, so a fault
 * is still an answer of its own.
 */
async function listJson<Row>(
  rows: readonly Row[],
  present: (row: Row) => unknown,
): Promise<Buffer> {
  const parts = [Buffer.from('[')]
  for (let start = 0; start < rows.length; start += PART_ROWS) {
    if (start > 0) await nextTurn()
    const json = JSON.stringify(rows.slice(start, start + PART_ROWS).map(present)).slice(1, -1)
    parts.push(Buffer.from(start > 0 ? `,${json}` : json))
  }
  return Buffer.concat([...parts, Buffer.from(']')])
}

export async function sendList<Row>(
  reply: FastifyReply,
  rows: readonly Row[],
  present: (row: Row) => unknown,
): Promise<FastifyReply> {
  const json = await listJson(rows, present)
  return reply.type('application/json; charset=utf-8').send(json)
}
