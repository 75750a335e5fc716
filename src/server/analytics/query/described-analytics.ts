import { DAY_MS } from '#contract/time.ts'
import type { Group } from '../../openapi/operation.ts'
import { MENU, SHARE, TODAY } from '../../openapi/story.ts'

const ONE = { path: { id: MENU } }
const OF_MENU = { qr: MENU, range: '7d', tz: 'Europe/Berlin' }
/** The three scans of the story, as their list has them */
const scans = ['2026-03-03T18:40:00.000Z', '2026-03-03T19:05:00.000Z', `${TODAY}T09:52:00.000Z`]
const scanAt = (at: string) => ({
  at,
  qr: MENU,
  class: 'person',
  reason: 'Opened in a browser',
  isFirst: true,
  country: 'DE',
  region: null,
  city: null,
  device: 'Mobile',
  os: 'iOS',
  browser: 'Safari',
  app: null,
  referrer: null,
  language: 'de',
  utm_source: null,
  utm_medium: null,
  utm_campaign: null,
  utm_term: null,
  utm_content: null,
})
/** The scan of this morning */
const guest = {
  at: `${TODAY}T09:52:00.000Z`,
  place: { city: null, country: 'Germany' },
  device: 'Mobile',
  os: 'iOS',
}
const share = {
  id: SHARE,
  link: 'https://qr.example.com/s/gJ6-H95QDBU-ylfJUmknwvtGPlX3ne4KQMLKFVBqu9c',
  note: 'For the landlord',
  madeAt: `${TODAY}T10:00:05.000Z`,
  endsAt: '2026-04-04T10:00:05.000Z',
  lastOpenedAt: null,
  pausedAt: null,
}

const dayAt = (first: string, days: number) =>
  new Date(Date.parse(first) + days * DAY_MS).toISOString().slice(0, 10)
/** Scans of the menu, of seven days up to today */
const week = [0, 0, 0, 0, 2, 0, 1]
const thirtyDays = Array.from({ length: 30 }, (_, day) => ({
  date: dayAt('2026-02-04', day),
  Menu: week[day - 23] ?? 0,
  Poster: 0,
  'Table 7': 0,
  Door: 0,
}))
/** Monday first; scans at 19:40, 20:05 and 10:52 in Berlin */
const byHour = Array.from({ length: 7 }, (_, day) =>
  Array.from({ length: 24 }, (_, hour) =>
    (day === 1 && (hour === 19 || hour === 20)) || (day === 3 && hour === 10) ? 1 : 0,
  ),
)
const ok = (body: unknown) => ({ status: 200, body })
const counted =
  'Only scans by people count, unless you ask for `kind=bots`: link previews, search engines, and other bots.'

export const analytics: Group = {
  name: 'Analytics',
  description:
    'Each visit by a person is one scan. A visitor is counted once per code per day (UTC). Days, weeks and months begin in the time zone `tz`.',
  operations: {
    'GET /api/analytics/user': {
      name: 'readTotals',
      summary: 'Totals of all QR codes',
      example: {
        query: { tz: 'Europe/Berlin' },
        answer: ok({ totalQrCodes: 4, totalScans: 3, scansThisMonth: 3, scansLastMonth: 0 }),
      },
    },
    'GET /api/analytics/qr-code/:id': {
      name: 'readQrCodeTotals',
      summary: 'Totals of a QR code',
      description: 'With the countries and devices it’s scanned from most.',
      errors: ['code_not_found'],
      example: {
        ...ONE,
        query: { tz: 'Europe/Berlin' },
        answer: ok({
          totalScans: 3,
          scansThisMonth: 3,
          topCountries: [{ country: 'Germany', countryCode: 'DE', scans: 3 }],
          topDevices: [{ device: 'Mobile', scans: 3 }],
        }),
      },
    },
    'GET /api/analytics/qr-code/:id/latest': {
      name: 'readLatestScan',
      summary: 'The latest scan of a QR code',
      description:
        'The latest scan by a person after an instant, which can be up to 10 minutes ago. Useful for a program that waits for a test scan.',
      errors: ['code_not_found'],
      example: {
        ...ONE,
        query: { after: `${TODAY}T09:50:00Z` },
        answer: ok({ scan: guest }),
      },
    },
    'GET /api/analytics/qr-codes': {
      name: 'readScansByCode',
      summary: 'Scans by QR code',
      description: 'All codes with scans: how many, and when the last one was.',
      example: {
        answer: ok([{ id: MENU, totalScans: 3, lastScannedAt: `${TODAY}T09:45:00.000Z` }]),
      },
    },
    'GET /api/analytics/daily-breakdown': {
      name: 'readDailyBreakdown',
      summary: 'The last 30 days by QR code',
      description: 'One row per day, oldest first: `date`, and each code’s scans under its name.',
      example: { answer: ok(thirtyDays) },
    },
    'GET /api/analytics/figures': {
      name: 'readFigures',
      summary: 'Scans over time',
      description: `The scans of a range over time, with the previous period. ${counted} Choose codes by qr, tag or externalId. With several filters, such as country and utm_campaign, a scan counts if it matches all of them; \`-\` means unknown.`,
      errors: ['code_not_found', 'range_too_long'],
      example: {
        query: OF_MENU,
        answer: ok({
          range: {
            from: '2026-02-26T23:00:00.000Z',
            to: '2026-03-05T23:00:00.000Z',
            by: 'day',
            snapped: false,
          },
          scans: 3,
          visitors: 3,
          before: { scans: 0, visitors: 0 },
          points: week.map((scans, day) => ({
            at: dayAt('2026-02-27', day),
            scans,
            visitors: scans,
            before: 0,
          })),
          rules: [1],
        }),
      },
    },
    'GET /api/analytics/breakdown': {
      name: 'readBreakdown',
      summary: 'Scans by country, device and so on',
      description: `The scans broken down by one facet, most first. ${counted}`,
      errors: ['code_not_found', 'range_too_long'],
      example: {
        query: { ...OF_MENU, facet: 'country' },
        answer: ok({
          rows: [{ value: 'DE', label: 'Germany', scans: 3 }],
          unknown: 0,
          others: 0,
          scans: 3,
        }),
      },
    },
    'GET /api/analytics/ranking': {
      name: 'readRanking',
      summary: 'Top QR codes and tags',
      description: `The codes with the most scans in a range, at most 500, and how many scans the codes of each tag have together, and those that met each UTM parameter: a scan keeps the parameters that the destination had when it was made. Scans from before your server noted them count for today’s destination. ${counted}`,
      errors: ['code_not_found', 'range_too_long'],
      example: {
        query: { range: 'this-month', tz: 'Europe/Berlin' },
        answer: ok({
          codes: [{ id: MENU, name: 'Menu', scans: 3 }],
          tags: [],
          utm: [],
          others: 0,
          scans: 3,
        }),
      },
    },
    'GET /api/analytics/heatmap': {
      name: 'readHeatmap',
      summary: 'Scans by weekday and hour',
      description: 'Seven rows, Monday first, of 24 hours each.',
      errors: ['code_not_found', 'range_too_long'],
      example: { query: OF_MENU, answer: ok({ rows: byHour, scans: 3 }) },
    },
    'GET /api/analytics/classes': {
      name: 'readClasses',
      summary: 'Why visits count as people or bots',
      errors: ['code_not_found', 'range_too_long'],
      example: { query: { ...OF_MENU, kind: 'bots' }, answer: ok({ rows: [] }) },
    },
    'GET /api/analytics/now': {
      name: 'readNow',
      summary: 'The last half hour',
      description: 'Scans by minute, oldest first, and the last 20 scans.',
      errors: ['code_not_found'],
      example: {
        query: { qr: MENU },
        answer: ok({
          at: `${TODAY}T10:00:01.000Z`,
          minutes: Array.from({ length: 30 }, (_, minute) => (minute === 21 ? 1 : 0)),
          scans: [{ id: '0mmdadreo00003fd9da538f9', code: { id: MENU, name: 'Menu' }, ...guest }],
        }),
      },
    },
    'GET /api/analytics/scans': {
      name: 'describeScansFile',
      summary: 'Preview the file of scans',
      errors: ['code_not_found', 'range_too_long'],
      example: {
        query: OF_MENU,
        answer: ok({
          name: 'tessera-menu-scans-2026-02-27-2026-03-05.csv',
          from: '2026-02-26T23:00:00.000Z',
          isCut: false,
          scans: 3,
        }),
      },
    },
    'GET /api/analytics/scans.csv': {
      name: 'downloadScans',
      summary: 'Export scans',
      description:
        'A CSV file in UTF-8 with a row per scan, oldest first. It’s safe to open in a spreadsheet: no cell is read as a formula.',
      errors: ['code_not_found', 'range_too_long'],
      headers: ['Content-Disposition'],
      gives: ['text/csv'],
      example: { query: OF_MENU, answer: { status: 200 } },
    },
    'GET /api/analytics/scans.json': {
      name: 'listScans',
      summary: 'List scans',
      description:
        'Single scans, oldest first, in pages: send `nextCursor` as `cursor` until it’s null. Its values are those that filters take.',
      errors: ['code_not_found', 'range_too_long'],
      example: {
        query: { ...OF_MENU, limit: '100' },
        answer: ok({ items: scans.map(scanAt), nextCursor: null }),
      },
    },
    'POST /api/analytics/shares': {
      name: 'shareFigures',
      summary: 'Share a QR code’s analytics',
      description:
        'Creates a link to a page with this code’s analytics. Anyone with the link can open it, for 7, 30, 90 or 365 days.',
      errors: ['code_not_found', 'shares_full'],
      example: {
        query: { qr: MENU },
        body: { days: 30, note: 'For the landlord' },
        answer: { status: 201, body: share },
      },
    },
    'GET /api/analytics/shares': {
      name: 'listShares',
      summary: 'List a QR code’s share links',
      errors: ['code_not_found'],
      example: {
        query: { qr: MENU },
        answer: ok({ isInPlan: true, shares: [share] }),
      },
    },
    'DELETE /api/analytics/shares/:id': {
      name: 'endShare',
      summary: 'Stop a share link',
      errors: ['share_not_found'],
      example: { path: { id: SHARE }, answer: { status: 204 } },
    },
  },
}
