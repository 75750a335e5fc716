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
    'Create a code once, print it, and change where it leads as often as you like. Its short link is this site’s address with `/qr/` and its `shortCode` or `vanityUrl`.',
  operations: {
    'POST /api/qr-codes': {
      name: 'makeQrCode',
      summary: 'Create a QR code',
      description:
        'Only `name` and `url` are required. What you leave out of the design comes from your default design. With `Idempotency-Key` you can repeat the call after a network failure without creating a second code.',
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
      summary: 'Create many QR codes',
      description:
        'Creates up to 1,000 codes, all or none. If a row has an error, `fields` names it by its number from 0, such as `rows.3.url`. The response has the codes in the order of the rows.',
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
        'Without parameters the response is an array of all codes, newest first. With `limit` or `cursor` it’s an object with `items` and `nextCursor`: send that as `cursor` to get the next page, until it’s null. With `page` it’s an array of 25 codes.',
      headers: ['X-Total-Count'],
      example: {
        query: { tag: 'spring', limit: '100' },
        answer: { status: 200, body: { items: [menu], nextCursor: null } },
      },
    },
    'GET /api/qr-codes/export.csv': {
      name: 'exportQrCodes',
      summary: 'Export QR codes with their scans',
      description:
        'A CSV file in UTF-8 with each code’s short link, destination, name, custom URL, tags, scans, visitors, date, and status. It takes the same parameters as the list and keeps its order. It’s safe to open in a spreadsheet: no cell is read as a formula.',
      headers: ['Content-Disposition'],
      gives: ['text/csv'],
      example: { query: { tag: 'spring', sort: '-scans' }, answer: { status: 200 } },
    },
    'POST /api/qr-codes/export.csv': {
      name: 'exportChosenQrCodes',
      summary: 'Export chosen QR codes',
      description:
        'The same file for up to 10,000 codes by their ids. Ids that aren’t yours are left out.',
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
        'Changes only the fields you send. The next scan goes to the new destination. With `If-Match`, the code changes only if it still has the version you read.',
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
        'It stops working at once and stays in the trash for 30 days. With `If-Match`, it’s deleted only if it still has the version you read.',
      errors: ['code_not_found'],
      example: { path: { id: DOOR }, answer: { status: 204 } },
    },
    'GET /api/qr-codes/bin': {
      name: 'listBin',
      summary: 'List deleted QR codes',
      description:
        'The codes in the trash, most recently deleted first. `limit` and `cursor` page the list.',
      example: { answer: { status: 200, body: [{ ...door, ...deleted }] } },
    },
    'POST /api/qr-codes/:id/restore': {
      name: 'restoreQrCode',
      summary: 'Restore a QR code',
      description: 'Restores a deleted code from the trash. Its printed copies work again.',
      errors: ['code_not_found', 'plan_limit_reached', 'custom_path_taken'],
      example: { path: { id: DOOR }, answer: { status: 200, body: door } },
    },
    'POST /api/qr-codes/:id/revive': {
      name: 'reviveQrCode',
      summary: 'Make an expired QR code work again',
      description:
        'A code created on the Free plan expires after 14 days. On a paid plan, this makes it work again for good.',
      errors: ['code_not_found'],
      example: { path: { id: POSTER }, answer: { status: 200, body: poster } },
    },
    'POST /api/qr-codes/draft': {
      name: 'makeDraft',
      summary: 'Create a draft',
      description:
        'A draft is a code without a name and a destination. The first change with both turns it into a code. Programs rarely need one: “Create a QR code” is a single call.',
      errors: ['plan_limit_reached'],
      example: { answer: { status: 201, body: code({ id: DRAFT, name: '', url: '' }) } },
    },
  },
}
