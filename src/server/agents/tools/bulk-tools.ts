import { newSeries, seriesRow } from '#contract/series.ts'
import { z } from '#contract/zod.ts'
import { briefest, CODES_MAX, linked, once, withLink } from './code-tools.ts'
import { look } from './design-tools.ts'
import { dataTool, type Tool } from './tool.ts'

export const bulkTools: Tool[] = [
  dataTool(
    {
      name: 'make_codes',
      title: 'Create many QR codes',
      effect: 'adds',
      description: `Creates up to ${CODES_MAX} QR codes, one per row, all or none: if a row is refused, its field is named and nothing is created.`,
      input: z.strictObject({
        rows: z.array(z.strictObject(seriesRow.shape)).min(1).max(CODES_MAX),
        look: look.optional(),
        tags: newSeries.shape.tags,
        idempotencyKey: once,
      }),
      output: z.strictObject({ codes: z.array(briefest.extend(withLink)) }),
    },
    async ({ idempotencyKey, ...body }, setting) => {
      const headers = { 'idempotency-key': idempotencyKey }
      const asked = { method: 'POST', path: '/api/qr-codes/bulk', headers, body } as const
      const codes = await setting.calls.json(z.array(briefest), asked)
      return { codes: codes.map((code) => linked(code, setting)) }
    },
  ),
]
