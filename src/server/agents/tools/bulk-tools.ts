import { codesChange, codesDeletion, codesDone } from '#contract/codes/codes.ts'
import { newSeries } from '#contract/series/series.ts'
import { wordsOf, z } from '#contract/zod.ts'
import { briefest, CODES_MAX, course, inputOfNew, once } from './code-tools.ts'
import { look } from './design-tools.ts'
import { type Tool, tool } from './tool.ts'

const { ids, tag, dryRun, change } = codesChange.shape
const { rows, look: ofAll, tags } = newSeries.shape

/** How many codes were changed or deleted, or would be. */
const counted = z.strictObject({ codes: z.int(), dryRun: z.boolean() })
const countOf = (done: z.output<typeof codesDone>) => ({
  codes: done.ids.length,
  dryRun: done.dryRun,
})

export const bulkTools: Tool[] = [
  tool({
    name: 'make_codes',
    title: 'Create many QR codes',
    call: 'POST /api/qr-codes/bulk',
    description: `Creates up to ${CODES_MAX} QR codes, one per row, all or none: if a row is refused, its field is named and nothing is created. look and tags are for all rows.`,
    input: {
      rows: z.array(z.strictObject(inputOfNew)).min(1).max(CODES_MAX).describe(wordsOf(rows)),
      look: look.optional().describe(wordsOf(ofAll)),
      tags,
      idempotencyKey: once,
    },
    list: 'codes',
    output: briefest,
  }),
  tool(
    {
      name: 'change_codes',
      title: 'Change many QR codes',
      call: 'POST /api/qr-codes/bulk/change',
      effect: 'replaces',
      description:
        'Changes up to 1,000 QR codes in the same way, all or none: those in ids, or all with a tag. With dryRun, learn first how many would change, and ask the person.',
      input: {
        ids,
        tag,
        change: z.strictObject(change.omit(course).shape).describe(wordsOf(change)),
        dryRun,
      },
      output: counted,
    },
    async (given, { ask }) => countOf(await ask(given, codesDone)),
  ),
  tool(
    {
      name: 'delete_codes',
      title: 'Delete many QR codes',
      call: 'POST /api/qr-codes/bulk/delete',
      effect: 'replaces',
      description:
        'Moves up to 1,000 QR codes to the trash, all or none: those in ids, or all with a tag. Their printed copies stop working at once. With dryRun, learn first how many there are, and ask the person.',
      input: codesDeletion.shape,
      output: counted,
    },
    async (given, { ask }) => countOf(await ask(given, codesDone)),
  ),
]
