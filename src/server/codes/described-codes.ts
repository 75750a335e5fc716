import type { Group } from '../openapi/operation.ts'

export const codes: Group = {
  name: 'QR codes',
  description:
    'Create a code once, print it, and change where it leads as often as you like. Its short link is this site’s address with `/qr/` and its `shortCode` or `vanityUrl`.',
  operations: {
    'POST /api/qr-codes': {
      name: 'makeQrCode',
      summary: 'Create a QR code',
      description:
        'Only `name` and `url` are required. What you leave out of the design comes from your default design. With `Idempotency-Key` you can repeat the call after a network failure without creating a second code.',
      errors: ['plan_limit_reached', 'custom_path_taken', 'external_id_taken', 'tags_full'],
      headers: ['ETag', 'Location'],
    },
    'POST /api/qr-codes/bulk': {
      name: 'makeQrCodes',
      summary: 'Create many QR codes',
      description:
        'Creates up to 1,000 codes, all or none. A row takes every field of a single code but `password`; `look` and `tags` beside the rows are for all of them. If a row has an error, `fields` names it by its number from 0, such as `rows.3.url`. The response has the codes in the order of the rows.',
      errors: ['plan_limit_reached', 'custom_path_taken', 'external_id_taken', 'tags_full'],
    },
    'PUT /api/qr-codes/external/:externalId': {
      name: 'putQrCode',
      summary: 'Create or change a QR code by your own id',
      description:
        'If you have no code with this `externalId`, this creates one (201). Otherwise it changes that code (200), and restores it if it’s in the trash. You can repeat the call: the result is the same. With `If-Match`, it only changes the version you read, and with `If-None-Match: *` it only creates. To both, a code in the trash isn’t there.',
      errors: ['plan_limit_reached', 'custom_path_taken', 'former_paths_full', 'tags_full'],
      headers: ['ETag', 'Location'],
    },
    'POST /api/qr-codes/bulk/change': {
      name: 'changeQrCodes',
      summary: 'Change many QR codes',
      description:
        'Changes up to 1,000 codes, all or none: those in `ids`, or all with `tag`. The response has the ids of the codes that are different now. With `dryRun`, nothing changes and the response says what would.',
      errors: ['code_not_found', 'tags_full'],
    },
    'POST /api/qr-codes/bulk/delete': {
      name: 'deleteQrCodes',
      summary: 'Delete many QR codes',
      description:
        'Moves up to 1,000 codes to the trash, all or none: those in `ids`, or all with `tag`. With `dryRun`, nothing is deleted and the response says what would be.',
      errors: ['code_not_found'],
    },
    'GET /api/account/me': {
      name: 'readAccountUse',
      summary: 'Read your plan and what’s left of it',
      description:
        'The workspace that a key belongs to, its plan, how many more codes fit, and how many new codes and custom URLs a day still has.',
    },
    'GET /api/account/export': {
      name: 'exportAccount',
      summary: 'Download everything as a ZIP file',
      description:
        'For owners and admins. All links as a table and as redirects for nginx, Caddy, Netlify, and Cloudflare Pages, each code as PNG and SVG, and all data as JSON. A read-only key can download it, 20 times a day, such as for a nightly backup.',
      headers: ['X-Total-Files'],
      file: 'application/zip',
    },
    'GET /api/qr-codes': {
      name: 'listQrCodes',
      description:
        'Without parameters the response is an array of all codes, newest first, up to 10,000: if there are more, `X-Total-Count` is larger, and `limit` reads all of them. With `limit` or `cursor` it’s an object with `items` and `nextCursor`: send that as `cursor` to get the next page, until it’s null. With `page` it’s an array of 25 codes. Find one code by its `link` (the whole link, or just its path) or by your `externalId`.',
      headers: ['X-Total-Count'],
    },
    'GET /api/qr-codes/export.csv': {
      name: 'exportQrCodes',
      summary: 'Export QR codes with their scans',
      description:
        'A CSV file in UTF-8 with each code’s short link, destination, name, custom URL, tags, scans, visitors, date, status, former custom URLs, external ID, and design: an import takes it back as it is. It has all codes, however many. It takes the same parameters as the list and keeps its order. It’s safe to open in a spreadsheet: no cell is read as a formula.',
      file: 'text/csv',
    },
    'POST /api/qr-codes/export.csv': {
      name: 'exportChosenQrCodes',
      description:
        'The same file for up to 10,000 codes by their ids. Ids that aren’t yours are left out.',
      errors: ['code_not_found'],
      file: 'text/csv',
    },
    'GET /api/qr-codes/:id': {
      name: 'readQrCode',
      headers: ['ETag'],
    },
    'PATCH /api/qr-codes/:id': {
      name: 'changeQrCode',
      description:
        'Changes only the fields you send, also within `artwork`: null resets a part. You can send a code back as you read it; fields that you can only read have to be unchanged. The next scan goes to the new destination. With `If-Match`, the code changes only if it still has the version you read.',
      errors: [
        'custom_path_taken',
        'former_paths_full',
        'plan_limit_reached',
        'external_id_taken',
        'tags_full',
      ],
      headers: ['ETag'],
    },
    'DELETE /api/qr-codes/:id': {
      name: 'deleteQrCode',
      description:
        'It stops working at once and stays in the trash for 30 days. With `If-Match`, it’s deleted only if it still has the version you read.',
    },
    'GET /api/qr-codes/bin': {
      name: 'listBin',
      summary: 'List deleted QR codes',
      description:
        'The codes in the trash, most recently deleted first. `limit` and `cursor` page the list.',
    },
    'POST /api/qr-codes/:id/restore': {
      name: 'restoreQrCode',
      description: 'Restores a deleted code from the trash. Its printed copies work again.',
      errors: ['plan_limit_reached', 'custom_path_taken'],
    },
    'GET /api/qr-codes/:id/history': {
      name: 'listQrCodeHistory',
      summary: 'List what a QR code was',
      description:
        'The states that the code has had, newest first: its destination, rules, dates, limit, fallback, and whether it was paused, with who changed it and when. Up to 1,000 are kept, for as long as the code.',
    },
    'POST /api/qr-codes/:id/history/:stateId/restore': {
      name: 'restoreQrCodeState',
      summary: 'Bring back an earlier state of a QR code',
      description: 'Changes the code to what it was. The change is in its history, too.',
      errors: ['not_found', 'rules_not_in_plan'],
    },
    'POST /api/qr-codes/:id/try': {
      name: 'tryQrCode',
      summary: 'See where a scan would lead',
      description:
        'Imagines a scan by a person and says what it would get, by the rules the code has or by others that you send. It isn’t counted.',
    },
    'POST /api/qr-codes/:id/revive': {
      name: 'reviveQrCode',
      summary: 'Make an expired QR code work again',
      description:
        'A code created on the Free plan expires after 14 days. On a paid plan, this makes it work again for good.',
    },
    'POST /api/qr-codes/draft': {
      name: 'makeDraft',
      summary: 'Create a draft',
      description:
        'A draft is a code without a name and a destination. The first change with both turns it into a code. Programs rarely need one: “Create a QR code” is a single call.',
      errors: ['plan_limit_reached'],
    },
  },
}
