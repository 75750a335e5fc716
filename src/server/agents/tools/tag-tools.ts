import { newTag, tag, tagChange } from '#contract/codes/tags.ts'
import { z } from '#contract/zod.ts'
import { type Tool, tool } from './tool.ts'

const id = z.string().describe('The id of the tag, as list_tags has it')

export const tagTools: Tool[] = [
  tool({
    name: 'list_tags',
    title: 'List tags',
    call: 'GET /api/tags',
    description: 'Lists the account’s tags and how many QR codes have each.',
    list: 'tags',
    output: tag,
  }),
  tool({
    name: 'make_tag',
    title: 'Create a tag',
    call: 'POST /api/tags',
    description:
      'Creates a tag. make_code and change_code create missing tags, too: use this one to choose a color.',
    input: newTag.shape,
    output: tag,
  }),
  tool({
    name: 'change_tag',
    title: 'Rename or recolor a tag',
    call: 'PATCH /api/tags/:id',
    description: 'Changes the name or the color of a tag, on all QR codes that have it.',
    input: { id, ...tagChange.shape },
    output: tag,
  }),
  tool({
    name: 'delete_tag',
    title: 'Delete a tag',
    call: 'DELETE /api/tags/:id',
    description: 'Deletes a tag for good. The QR codes that have it stay, without the tag.',
    input: { id },
    done: 'Deleted. The codes stay.',
  }),
]
