import type { Group } from '../../openapi/operation.ts'

export const imports: Group = {
  name: 'Imports',
  description:
    'Create codes from a spreadsheet: upload a file of up to 10,000 rows, see what’s wrong with them, fix those rows or leave them out, and create codes from the others, all at once. They count toward your plan, not toward the daily limit. The exports of Bitly, Dub, Rebrandly, Short.io, QR TIGER, Shlink, Kutt, and YOURLS are recognized by their columns.',
  operations: {
    'GET /api/imports/template.csv': {
      name: 'getTemplate',
      description: 'A CSV file with the columns and two examples.',
      file: 'text/csv',
    },
    'POST /api/imports': {
      name: 'sendFile',
      summary: 'Upload a file',
      description:
        'Up to 5 MB. CSV with commas, semicolons, tabs or pipes, in UTF-8, in UTF-16 with a byte order mark, or in windows-1252, which any other text is taken for. A code that was paused, archived or over elsewhere is paused here. An export of ours keeps short links and former custom URLs where they are free, external IDs and designs; what isn’t kept is listed in the losses of its row. The columns are known by their names, in any order; choose those that are not with the next call. No code is created yet: a file that’s sent twice is only read twice, so this call takes no `Idempotency-Key`. A file that is not imported is removed after 24 hours.',
      errors: ['import_unreadable'],
      takes: ['text/csv', 'application/octet-stream'],
    },
    'POST /api/imports/:id/columns': {
      name: 'chooseColumns',
      summary: 'Choose what columns are read as',
      description:
        'Reads the file again, without sending it again. The response is a new import with an id of its own, which replaces this one.',
      errors: ['import_not_ready'],
    },
    'GET /api/imports': {
      name: 'listImports',
      description: 'The last 20, newest first.',
    },
    'GET /api/imports/:id': {
      name: 'getImport',
      description: 'While codes are being created, `done` says how many are ready.',
    },
    'GET /api/imports/:id/rows': {
      name: 'listImportRows',
      summary: 'List the rows of an import',
    },
    'GET /api/imports/:id/rows.csv': {
      name: 'downloadImportRows',
      summary: 'Download the rows of an import',
      description:
        'A CSV file with the columns of yours, and one more with what’s wrong with each row. Fix it and upload it as it is.',
      file: 'text/csv',
    },
    'PATCH /api/imports/:id/rows/:row': {
      name: 'changeImportRow',
      summary: 'Change a row',
      description:
        'Writes other texts into cells of a row and checks it again. An absent field stays as it is. It takes only fields that a column of the file is read as.',
      errors: ['import_not_ready'],
    },
    'POST /api/imports/:id/publish': {
      name: 'publishImport',
      summary: 'Create the codes',
      description:
        'Rows with problems hold up the import, unless `skipProblems` leaves them out. Codes are created once, however often it’s called. Responds at once; then get the import until its state is `published`. Until then, no code is listed. If it goes back to `checked`, `fault` says why, and nothing was created.',
      errors: [
        'import_not_ready',
        'import_has_problems',
        'plan_limit_reached',
        'custom_path_taken',
        'artwork_not_in_plan',
        'code_tags_full',
      ],
    },
    'GET /api/imports/:id/pictures.zip': {
      name: 'zipImport',
      summary: 'Draw the QR codes of an import',
      description:
        'A ZIP file with a PNG and an SVG of each code, in the order of the rows. Every code is tested with scanners before it’s sent.',
      errors: ['import_not_ready'],
      headers: ['X-Total-Files'],
      file: 'application/zip',
    },
    'DELETE /api/imports/:id': {
      name: 'deleteImport',
      description: 'The codes created from it stay.',
      errors: ['import_not_ready'],
    },
  },
}
