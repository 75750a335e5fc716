import type { Group } from '../../openapi/operation.ts'
import { TODAY } from '../../openapi/story.ts'

const SENT = '0e5b7c12-93d8-4f6a-a1b4-6d2f8e07c359'
/** The same file, read again */
const FILE = '5a7d1f60-2c4e-4b83-9f0d-b1e86c3a9d47'
const ONE = { path: { id: FILE } }
const AT = `${TODAY}T09:00:00.000Z`

const entry = {
  id: SENT,
  name: 'rooms.csv',
  format: 'sheet',
  encoding: 'utf-8',
  domain: null,
  state: 'checked',
  columns: [
    { name: 'Room', as: null, sample: 'Room 1' },
    { name: 'Page', as: null, sample: 'example.com/rooms/1' },
  ],
  rows: 2,
  problems: 2,
  lostPaths: 0,
  losses: 0,
  done: 0,
  fault: null,
  madeAt: AT,
  publishedAt: null,
  endsAt: AT,
}
const ROOM = 9_996
/** The same file, once its columns are chosen */
const chosen = {
  ...entry,
  id: FILE,
  columns: [
    { name: 'Room', as: 'name', sample: 'Room 1' },
    { name: 'Page', as: 'url', sample: 'example.com/rooms/1' },
  ],
  problems: 1,
}
const row = {
  row: 2,
  name: 'Room 1',
  url: 'https://example.com/rooms/1',
  vanityUrl: null,
  tags: [],
  createdAt: null,
  isPaused: false,
  problems: [],
  lostPath: null,
  losses: [],
  codeId: null,
}
const bad = {
  ...row,
  row: 3,
  name: 'Room 2',
  url: 'ask at the desk',
  problems: [{ field: 'url', message: 'Must be a valid URL' }],
}
const fixed = { ...bad, url: 'https://example.com/rooms/2', problems: [] }
const unread = [row, bad].map((one) => ({
  ...one,
  name: '',
  url: '',
  problems: [{ field: 'url', message: 'No column is read as the destination' }],
}))

export const imports: Group = {
  name: 'Imports',
  description:
    'Create codes from a spreadsheet: upload a file of up to 10,000 rows, see what’s wrong with them, fix those rows or leave them out, and create codes from the others, all at once. They count toward your plan, not toward the daily limit. The exports of Bitly, Dub, Rebrandly, Short.io, QR TIGER, Shlink, Kutt, and YOURLS are recognized by their columns.',
  operations: {
    'GET /api/imports/template.csv': {
      name: 'getTemplate',
      summary: 'Get a template',
      description: 'A CSV file with the columns and two examples.',
      headers: ['Content-Disposition'],
      gives: ['text/csv'],
      example: { answer: { status: 200 } },
    },
    'POST /api/imports': {
      name: 'sendFile',
      summary: 'Upload a file',
      description:
        'Up to 5 MB. CSV with commas, semicolons, tabs or pipes, in UTF-8, in UTF-16 with a byte order mark, or in windows-1252, which any other text is taken for. A code that was paused, archived or over elsewhere is paused here. An export of ours keeps short links and former custom URLs where they are free, external IDs and designs; what isn’t kept is listed in the losses of its row. The columns are known by their names, in any order; choose those that are not with the next call. No code is created yet: a file that’s sent twice is only read twice, so this call takes no `Idempotency-Key`. A file that is not imported is removed after 24 hours.',
      errors: ['import_unreadable'],
      takes: ['text/csv', 'application/octet-stream'],
      example: {
        query: { name: 'rooms.csv' },
        headers: { 'content-type': 'text/csv' },
        body: 'Room,Page\nRoom 1,example.com/rooms/1\nRoom 2,ask at the desk\n',
        answer: { status: 201, body: { ...entry, room: ROOM, firstProblems: unread } },
      },
    },
    'POST /api/imports/:id/columns': {
      name: 'chooseColumns',
      summary: 'Choose what columns are read as',
      description:
        'Reads the file again, without sending it again. The response is a new import with an id of its own, which replaces this one.',
      errors: ['import_not_ready'],
      example: {
        path: { id: SENT },
        body: { columns: ['name', 'url'] },
        answer: { status: 201, body: { ...chosen, room: ROOM, firstProblems: [bad] } },
      },
    },
    'GET /api/imports': {
      name: 'listImports',
      summary: 'List imports',
      description: 'The last 20, newest first.',
      example: { answer: { status: 200, body: [chosen] } },
    },
    'GET /api/imports/:id': {
      name: 'getImport',
      summary: 'Get an import',
      description: 'While codes are being created, `done` says how many are ready.',
      example: { ...ONE, answer: { status: 200, body: { ...chosen, room: ROOM } } },
    },
    'GET /api/imports/:id/rows': {
      name: 'listImportRows',
      summary: 'List the rows of an import',
      example: { ...ONE, answer: { status: 200, body: { items: [row, bad], nextCursor: null } } },
    },
    'GET /api/imports/:id/rows.csv': {
      name: 'downloadImportRows',
      summary: 'Download the rows of an import',
      description:
        'A CSV file with the columns of yours, and one more with what’s wrong with each row. Fix it and upload it as it is.',
      headers: ['Content-Disposition'],
      gives: ['text/csv'],
      example: { ...ONE, query: { only: 'problems' }, answer: { status: 200 } },
    },
    'PATCH /api/imports/:id/rows/:row': {
      name: 'changeImportRow',
      summary: 'Change a row',
      description:
        'Writes other texts into cells of a row and checks it again. An absent field stays as it is. It takes only fields that a column of the file is read as.',
      errors: ['import_not_ready'],
      example: {
        path: { id: FILE, row: '3' },
        body: { url: 'example.com/rooms/2' },
        answer: {
          status: 200,
          body: { row: fixed, import: { ...chosen, problems: 0, room: ROOM } },
        },
      },
    },
    'POST /api/imports/:id/publish': {
      name: 'publishImport',
      summary: 'Create the codes',
      description:
        'Rows with problems hold up the import, unless `skipProblems` leaves them out. Codes are created once, however often it’s called. Responds at once; then get the import until its state is `published`. Until then, no code is listed. If it goes back to `checked`, `fault` says why, and nothing was created.',
      errors: [
        ...(['import_not_ready', 'import_has_problems', 'plan_limit_reached'] as const),
        ...(['custom_path_taken', 'artwork_not_in_plan', 'code_tags_full'] as const),
      ],
      example: {
        ...ONE,
        body: { tags: ['Rooms'] },
        answer: { status: 202, body: { ...chosen, problems: 0, state: 'publishing', room: ROOM } },
      },
    },
    'GET /api/imports/:id/pictures.zip': {
      name: 'zipImport',
      summary: 'Draw the QR codes of an import',
      description:
        'A ZIP file with a PNG and an SVG of each code, in the order of the rows. Every code is tested with scanners before it’s sent.',
      errors: ['import_not_ready'],
      headers: ['Content-Disposition', 'X-Total-Files'],
      gives: ['application/zip'],
      example: { ...ONE, answer: { status: 200 } },
    },
    'DELETE /api/imports/:id': {
      name: 'deleteImport',
      summary: 'Delete an import',
      description: 'The codes created from it stay.',
      errors: ['import_not_ready'],
      example: { ...ONE, answer: { status: 204 } },
    },
  },
}
