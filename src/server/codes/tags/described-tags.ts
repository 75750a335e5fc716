import type { Group } from '../../openapi/operation.ts'
import { MENU, POSTER, SPRING, TODAY } from '../../openapi/story.ts'

const spring = { id: SPRING, name: 'Spring', colour: 'green', codes: 1 }
const made = { createdAt: `${TODAY}T09:00:00.000Z` }
const TERRACE = '2de8a6c3-904f-4b1e-85d7-c3f60b29e184'
const ONE = { path: { id: SPRING } }

export const tags: Group = {
  name: 'Tags',
  description:
    'Names for groups of codes, such as a campaign or a place. The field `tags` of a code has them by name; these calls list, rename and color them.',
  operations: {
    'GET /api/tags': {
      name: 'listTags',
      summary: 'List tags',
      description: '`codes` is how many codes have the tag.',
      example: { answer: { status: 200, body: [{ ...spring, ...made }] } },
    },
    'POST /api/tags': {
      name: 'makeTag',
      summary: 'Create a tag',
      errors: ['tag_name_taken', 'tags_full'],
      example: {
        body: { name: 'Terrace', colour: 'teal' },
        answer: {
          status: 201,
          body: { id: TERRACE, name: 'Terrace', colour: 'teal', codes: 0, ...made },
        },
      },
    },
    'PATCH /api/tags/:id': {
      name: 'changeTag',
      summary: 'Rename or color a tag',
      errors: ['tag_name_taken'],
      example: {
        ...ONE,
        body: { colour: 'pink' },
        answer: { status: 200, body: { ...spring, colour: 'pink', ...made } },
      },
    },
    'POST /api/tags/:id/codes': {
      name: 'tagQrCodes',
      summary: 'Tag many QR codes',
      description:
        'Adds the tag to the codes in `add` and removes it from those in `remove`: all or none. The response says how many codes have changed.',
      errors: ['code_not_found', 'code_tags_full'],
      example: {
        ...ONE,
        body: { add: [POSTER], remove: [MENU] },
        answer: { status: 200, body: { changed: 2 } },
      },
    },
    'DELETE /api/tags/:id': {
      name: 'deleteTag',
      summary: 'Delete a tag',
      description: 'The codes stay.',
      example: { path: { id: TERRACE }, answer: { status: 204 } },
    },
  },
}
