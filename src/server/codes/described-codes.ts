import type { Group } from '../openapi/operation.ts'
import { code, DOOR, DRAFT, MENU, POSTER } from '../openapi/story.ts'

const menu = code({ id: MENU, name: 'Menu', url: 'https://example.com/menu', tags: ['Spring'] })
const changed = { ...menu, url: 'https://example.com/menu/summer', version: 2 }
const poster = code({ id: POSTER, name: 'Poster', url: 'https://example.com/poster' })
const door = code({ id: DOOR, name: 'Door', url: 'https://example.com/door', vanityUrl: 'door' })
const deleted = { deletedAt: '2026-03-05T09:04:00.000Z', purgedAt: '2026-04-04T09:04:00.000Z' }
const ONE = { path: { id: MENU } }

export const codes: Group = {
  name: 'QR codes',
  description:
    'Make a code once, print it, and change where it leads as often as you like. Its short link is `/qr/` with `shortCode`, or with `vanityUrl`, behind the address of this server.',
  operations: {
    'POST /api/qr-codes': {
      name: 'makeQrCode',
      summary: 'Make a QR code',
      description:
        'Only `name` and `url` are needed. What you leave out of the look is as in the style for new codes of your account. With `Idempotency-Key` you can repeat the call after a failure of the network and never make a second code.',
      errors: ['plan_limit_reached', 'custom_path_taken', 'tags_full'],
      headers: ['ETag', 'Location', 'Idempotency-Replayed'],
      example: {
        headers: { 'Idempotency-Key': 'menu-2026-03-05' },
        body: { name: 'Menu', url: 'https://example.com/menu', tags: ['Spring'] },
        answer: { status: 201, body: menu },
      },
    },
    'POST /api/qr-codes/bulk': {
      name: 'makeQrCodes',
      summary: 'Make many QR codes',
      description:
        'Makes up to 1,000 codes, all or none. If a row is wrong, `fields` says what is wrong with it by its number from 0, such as `rows.3.url`. The answer has the codes in the order of the rows.',
      errors: ['plan_limit_reached', 'custom_path_taken', 'tags_full'],
      headers: ['Idempotency-Replayed'],
      example: {
        body: {
          rows: [
            { name: 'Poster', url: 'https://example.com/poster' },
            { name: 'Door', url: 'https://example.com/door', vanityUrl: 'door' },
          ],
        },
        answer: { status: 201, body: [poster, door] },
      },
    },
    'GET /api/qr-codes': {
      name: 'listQrCodes',
      summary: 'List QR codes',
      description:
        'Without parameters the answer is an array of all codes, newest first. With `limit` or `cursor` it is an object with `items` and `nextCursor`: send that as `cursor` to get the next ones, until it is null. With `page` it is an array of 25 codes.',
      headers: ['X-Total-Count'],
      example: {
        query: { tag: 'spring', limit: '100' },
        answer: { status: 200, body: { items: [menu], nextCursor: null } },
      },
    },
    'GET /api/qr-codes/export.csv': {
      name: 'exportQrCodes',
      summary: 'QR codes with their scans as a table',
      description:
        'CSV in UTF-8 with the short link, destination, name, custom URL, tags, scans, visitors, day and status of each code: those that the same parameters list, in their order. A spreadsheet can load it: no cell is read as a formula.',
      headers: ['Content-Disposition'],
      gives: ['text/csv'],
      example: { query: { tag: 'spring', sort: '-scans' }, answer: { status: 200 } },
    },
    'POST /api/qr-codes/export.csv': {
      name: 'exportChosenQrCodes',
      summary: 'Chosen QR codes as a table',
      description:
        'The same table of up to 10,000 codes by their ids. Ids that your account does not have are left out.',
      errors: ['code_not_found'],
      headers: ['Content-Disposition'],
      gives: ['text/csv'],
      example: { body: { ids: [MENU, POSTER] }, answer: { status: 200 } },
    },
    'GET /api/qr-codes/:id': {
      name: 'readQrCode',
      summary: 'Read a QR code',
      errors: ['code_not_found'],
      headers: ['ETag'],
      example: { ...ONE, answer: { status: 200, body: menu } },
    },
    'PATCH /api/qr-codes/:id': {
      name: 'changeQrCode',
      summary: 'Change a QR code',
      description:
        'Changes only the fields that you send. The next scan already leads to the new destination. With `If-Match` the code changes only if it still has the version that you read.',
      errors: [
        ...(['code_not_found', 'custom_path_taken', 'former_paths_full'] as const),
        ...(['plan_limit_reached', 'tags_full'] as const),
      ],
      headers: ['ETag'],
      example: {
        ...ONE,
        headers: { 'If-Match': '"1"' },
        body: { url: 'https://example.com/menu/summer' },
        answer: { status: 200, body: changed },
      },
    },
    'DELETE /api/qr-codes/:id': {
      name: 'deleteQrCode',
      summary: 'Delete a QR code',
      description:
        'It stops working at once and stays in the bin for 30 days. With `If-Match` it is deleted only if it still has the version that you read.',
      errors: ['code_not_found'],
      example: { path: { id: DOOR }, answer: { status: 204 } },
    },
    'GET /api/qr-codes/bin': {
      name: 'listBin',
      summary: 'List deleted QR codes',
      description: 'What is in the bin, latest first. `limit` and `cursor` give it in parts.',
      example: { answer: { status: 200, body: [{ ...door, ...deleted }] } },
    },
    'POST /api/qr-codes/:id/restore': {
      name: 'restoreQrCode',
      summary: 'Restore a QR code',
      description: 'Takes a deleted code out of the bin. Its printed codes work again.',
      errors: ['code_not_found', 'plan_limit_reached', 'custom_path_taken'],
      example: { path: { id: DOOR }, answer: { status: 200, body: door } },
    },
    'POST /api/qr-codes/:id/revive': {
      name: 'reviveQrCode',
      summary: 'Make an expired QR code work again',
      description:
        'A code that was made on the free plan ends after 14 days. On a paid plan this makes it work again, for good.',
      errors: ['code_not_found'],
      example: { path: { id: POSTER }, answer: { status: 200, body: poster } },
    },
    'POST /api/qr-codes/draft': {
      name: 'makeDraft',
      summary: 'Make a draft',
      description:
        'A draft is a code without a name and a destination. It becomes a code with the first change that has both. Programs rarely need one: “Make a QR code” is one call.',
      errors: ['plan_limit_reached'],
      example: { answer: { status: 201, body: code({ id: DRAFT, name: '', url: '' }) } },
    },
  },
}
