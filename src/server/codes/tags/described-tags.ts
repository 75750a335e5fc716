import type { Group } from '../../openapi/operation.ts'

export const tags: Group = {
  name: 'Tags',
  description:
    'Names for groups of codes, such as a campaign or a place. The field `tags` of a code has them by name; these calls list, rename and color them.',
  operations: {
    'GET /api/tags': {
      name: 'listTags',
      description: '`codes` is how many codes have the tag.',
    },
    'POST /api/tags': {
      name: 'makeTag',
      summary: 'Create a tag',
      errors: ['tag_name_taken', 'tags_full'],
    },
    'PATCH /api/tags/:id': {
      name: 'changeTag',
      summary: 'Rename or color a tag',
      errors: ['tag_name_taken'],
    },
    'POST /api/tags/:id/codes': {
      name: 'tagQrCodes',
      summary: 'Tag many QR codes',
      description:
        'Adds the tag to the codes in `add` and removes it from those in `remove`: all or none. The response says how many codes have changed.',
      errors: ['code_not_found', 'code_tags_full'],
    },
    'DELETE /api/tags/:id': {
      name: 'deleteTag',
      description: 'The codes stay.',
    },
  },
}
