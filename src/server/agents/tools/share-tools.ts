import { newShare, share, shareList } from '#contract/analytics/shares.ts'
import { z } from '#contract/zod.ts'
import { codeId } from './code-tools.ts'
import { type Tool, tool } from './tool.ts'

export const shareTools: Tool[] = [
  tool({
    name: 'list_share_links',
    title: 'List share links',
    call: 'GET /api/analytics/shares',
    description: 'Lists the links that show one QR code’s analytics to anyone who has them.',
    input: { qr: codeId },
    output: shareList,
  }),
  tool({
    name: 'make_share_link',
    title: 'Create a share link',
    call: 'POST /api/analytics/shares',
    description:
      'Creates a link to a page with one QR code’s analytics. Anyone who has the link sees them until it ends, so ask the person first.',
    input: { qr: codeId, ...newShare.shape },
    output: share,
  }),
  tool({
    name: 'stop_share_link',
    title: 'Stop a share link',
    call: 'DELETE /api/analytics/shares/:id',
    description: 'Stops a share link at once and for good.',
    input: { id: z.string().describe('The id of the link, as list_share_links has it') },
    done: 'Stopped. The link shows nothing anymore.',
  }),
]
