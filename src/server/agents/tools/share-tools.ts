import { newShare, share, shareList } from '#contract/analytics/shares.ts'
import { z } from '#contract/zod.ts'
import { codeId } from './code-tools.ts'
import { pathsIn } from './paths.ts'
import { dataTool, deletingTool, type Tool } from './tool.ts'

const PATH = '/api/analytics/shares'

export const shareTools: Tool[] = [
  dataTool(
    {
      name: 'list_share_links',
      title: 'List share links',
      effect: 'reads',
      description: 'Lists the links that show one QR code’s analytics to anyone who has them.',
      input: z.strictObject({ qr: codeId }),
      output: shareList,
    },
    async (query, { calls }) => calls.json(shareList, { path: PATH, query }),
  ),
  dataTool(
    {
      name: 'make_share_link',
      title: 'Create a share link',
      effect: 'adds',
      description:
        'Creates a link to a page with one QR code’s analytics. Anyone who has the link sees them until it ends, so ask the person first.',
      input: z.strictObject({ qr: codeId, ...newShare.shape }),
      output: share,
    },
    async ({ qr, ...body }, { calls }) =>
      calls.json(share, { method: 'POST', path: PATH, query: { qr }, body }),
  ),
  deletingTool({
    name: 'stop_share_link',
    title: 'Stop a share link',
    description: 'Stops a share link at once and for good.',
    id: z.string().describe('The id of the link, as list_share_links has it'),
    pathOf: pathsIn(PATH, 'share_not_found'),
    done: 'Stopped. The link shows nothing anymore.',
  }),
]
