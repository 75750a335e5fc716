import { codesChange, codesDeletion, codesDone, newCode } from '#contract/codes.ts'
import { newSeries } from '#contract/series.ts'
import { z } from '#contract/zod.ts'
import { briefest, CODES_MAX, once } from './code-tools.ts'
import { look } from './design-tools.ts'
import { dataTool, type Tool } from './tool.ts'

const PATH = '/api/qr-codes/bulk'
const { ids, tag, dryRun, change } = codesChange.shape

/** How many codes were changed or deleted, or would be. */
const counted = z.strictObject({ codes: z.int(), dryRun: z.boolean() })
const countOf = (done: z.output<typeof codesDone>) => ({
  codes: done.ids.length,
  dryRun: done.dryRun,
})

export const bulkTools: Tool[] = [
  dataTool(
    {
      name: 'make_codes',
      title: 'Create many QR codes',
      effect: 'adds',
      description: `Creates up to ${CODES_MAX} QR codes, one per row, all or none: if a row is refused, its field is named and nothing is created. look and tags are for all rows.`,
      input: z.strictObject({
        rows: z.array(z.strictObject(newCode.shape)).min(1).max(CODES_MAX),
        look: look.optional(),
        tags: newSeries.shape.tags,
        idempotencyKey: once,
      }),
      output: z.strictObject({ codes: z.array(briefest) }),
    },
    async ({ idempotencyKey, ...body }, { calls }) => {
      const headers = { 'idempotency-key': idempotencyKey }
      const asked = { method: 'POST', path: PATH, headers, body } as const
      return { codes: await calls.json(z.array(briefest), asked) }
    },
  ),
  dataTool(
    {
      name: 'change_codes',
      title: 'Change many QR codes',
      effect: 'replaces',
      description:
        'Changes up to 1,000 QR codes in the same way, all or none: those in ids, or all with a tag. With dryRun, learn first how many would change, and ask the person.',
      input: z.strictObject({ ids, tag, change: z.strictObject(change.shape), dryRun }),
      output: counted,
    },
    async (body, { calls }) =>
      countOf(await calls.json(codesDone, { method: 'POST', path: `${PATH}/change`, body })),
  ),
  dataTool(
    {
      name: 'delete_codes',
      title: 'Delete many QR codes',
      effect: 'replaces',
      description:
        'Moves up to 1,000 QR codes to the trash, all or none: those in ids, or all with a tag. Their printed copies stop working at once. With dryRun, learn first how many there are, and ask the person.',
      input: z.strictObject(codesDeletion.shape),
      output: counted,
    },
    async (body, { calls }) =>
      countOf(await calls.json(codesDone, { method: 'POST', path: `${PATH}/delete`, body })),
  ),
]
