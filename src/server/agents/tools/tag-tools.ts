import { newTag, tag, tagChange } from '#contract/tags.ts'
import { z } from '#contract/zod.ts'
import { pathsIn } from './paths.ts'
import { dataTool, deletingTool, type Tool } from './tool.ts'

const pathOf = pathsIn('/api/tags', 'not_found')
const tagId = z.string().describe('The id of the tag, as list_tags has it')

export const tagTools: Tool[] = [
  dataTool(
    {
      name: 'list_tags',
      title: 'List tags',
      effect: 'reads',
      description: 'Lists the account’s tags and how many QR codes have each.',
      input: z.strictObject({}),
      output: z.strictObject({ tags: z.array(tag) }),
    },
    async (_input, { calls }) => ({
      tags: await calls.json(z.array(tag), { path: '/api/tags' }),
    }),
  ),
  dataTool(
    {
      name: 'make_tag',
      title: 'Create a tag',
      effect: 'adds',
      words: 'NewTag',
      description:
        'Creates a tag. make_code and change_code create missing tags, too: use this one to choose a color.',
      input: z.strictObject(newTag.shape),
      output: tag,
    },
    async (body, { calls }) => calls.json(tag, { method: 'POST', path: '/api/tags', body }),
  ),
  dataTool(
    {
      name: 'change_tag',
      title: 'Rename or recolor a tag',
      effect: 'replaces',
      words: 'TagChange',
      description: 'Changes the name or the color of a tag, on all QR codes that have it.',
      input: z.strictObject({ id: tagId, ...tagChange.shape }),
      output: tag,
    },
    async ({ id, ...body }, { calls }) =>
      calls.json(tag, { method: 'PATCH', path: pathOf(id), body }),
  ),
  deletingTool({
    name: 'delete_tag',
    title: 'Delete a tag',
    description: 'Deletes a tag for good. The QR codes that have it stay, without the tag.',
    id: tagId,
    pathOf,
    done: 'Deleted. The codes stay.',
  }),
]
