import type { Group } from '../../openapi/operation.ts'
import { TODAY } from '../../openapi/story.ts'

const FILE = '0e5b7c12-93d8-4f6a-a1b4-6d2f8e07c359'
const ONE = { path: { id: FILE } }
const AT = `${TODAY}T09:00:00.000Z`

const entry = {
  id: FILE,
  name: 'rooms.csv',
  format: 'sheet',
  state: 'checked',
  columns: [
    { name: 'Name', as: 'name' },
    { name: 'Destination', as: 'url' },
    { name: 'Floor', as: null },
  ],
  rows: 2,
  problems: 0,
  lostPaths: 0,
  done: 0,
  fault: null,
  madeAt: AT,
  publishedAt: null,
  endsAt: AT,
}
const ROOM = 9_997
const row = {
  row: 2,
  name: 'Room 1',
  url: 'https://example.com/rooms/1',
  vanityUrl: null,
  tags: [],
  problems: [],
  lostPath: null,
  codeId: null,
}
const rows = [row, { ...row, row: 3, name: 'Room 2', url: 'https://example.com/rooms/2' }]

export const imports: Group = {
  name: 'Imports',
  description:
    'Codes out of a spreadsheet: send a file of up to 10,000 rows, look at what is wrong with them, and make codes of all of them or of none. They count against your plan, and not against the limit of a day. Exports of Bitly, Shlink, Kutt and YOURLS are known by their columns.',
  operations: {
    'GET /api/imports/template.csv': {
      name: 'getTemplate',
      summary: 'Get a template',
      description: 'A CSV file with the columns that are read, and two examples.',
      headers: ['Content-Disposition'],
      gives: ['text/csv'],
      example: { answer: { status: 200 } },
    },
    'POST /api/imports': {
      name: 'sendFile',
      summary: 'Send a file',
      description:
        'Up to 5 MB. CSV with commas, semicolons or tabs, in UTF-8, or in UTF-16 with a byte order mark. The columns are known by their names, in any order. Nothing is made yet. A file that nobody uses is forgotten after 24 hours.',
      errors: ['import_unreadable'],
      takes: ['text/csv', 'application/octet-stream'],
      example: {
        query: { name: 'rooms.csv' },
        headers: { 'content-type': 'text/csv' },
        body: 'Name,Destination,Floor\nRoom 1,example.com/rooms/1,0\nRoom 2,example.com/rooms/2,1\n',
        answer: { status: 201, body: { ...entry, room: ROOM, firstProblems: [] } },
      },
    },
    'GET /api/imports': {
      name: 'listImports',
      summary: 'List imports',
      description: 'The last 20, newest first.',
      example: { answer: { status: 200, body: [entry] } },
    },
    'GET /api/imports/:id': {
      name: 'getImport',
      summary: 'Get an import',
      description: 'While codes are being made, `done` says how far it is.',
      example: { ...ONE, answer: { status: 200, body: { ...entry, room: ROOM } } },
    },
    'GET /api/imports/:id/rows': {
      name: 'listImportRows',
      summary: 'List the rows of an import',
      example: { ...ONE, answer: { status: 200, body: { items: rows, nextCursor: null } } },
    },
    'POST /api/imports/:id/publish': {
      name: 'publishImport',
      summary: 'Make the codes',
      description:
        'Answers at once; then ask for the import until its state is `published`. Before that no code can be seen. If it goes back to `checked`, `fault` says why, and nothing was made.',
      errors: [
        ...(['import_not_ready', 'import_has_problems', 'plan_limit_reached'] as const),
        ...(['custom_path_taken', 'artwork_not_in_plan', 'code_tags_full'] as const),
      ],
      example: {
        ...ONE,
        body: { tags: ['Rooms'] },
        answer: { status: 202, body: { ...entry, state: 'publishing', room: ROOM } },
      },
    },
    'GET /api/imports/:id/pictures.zip': {
      name: 'zipImport',
      summary: 'Draw the QR codes of an import',
      description:
        'A zip with a PNG and an SVG of each code, in the order of the rows. The code is read by decoders before it is given out.',
      errors: ['import_not_ready'],
      headers: ['Content-Disposition', 'X-Total-Files'],
      gives: ['application/zip'],
      example: { ...ONE, answer: { status: 200 } },
    },
    'DELETE /api/imports/:id': {
      name: 'deleteImport',
      summary: 'Forget an import',
      description: 'Codes that were made of it stay.',
      errors: ['import_not_ready'],
      example: { ...ONE, answer: { status: 204 } },
    },
  },
}
