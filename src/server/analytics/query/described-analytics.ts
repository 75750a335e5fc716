import type { Group } from '../../openapi/operation.ts'

const counted =
  'Only scans by people count, unless you ask for `kind=bots`: link previews, search engines, and other bots.'

export const analytics: Group = {
  name: 'Analytics',
  description:
    'Each visit by a person is one scan. A visitor is counted once per code per day (UTC). Days, weeks and months begin in the time zone `tz`. If scans wait to be counted for over a minute, responses have the header `Tessera-Figures-Until`: the instant up to which they show all scans.',
  operations: {
    'GET /api/analytics/user': {
      name: 'readTotals',
      summary: 'Totals of all QR codes',
    },
    'GET /api/analytics/qr-code/:id': {
      name: 'readQrCodeTotals',
      summary: 'Totals of a QR code',
      description: 'With the countries and devices it’s scanned from most.',
    },
    'GET /api/analytics/qr-code/:id/latest': {
      name: 'readLatestScan',
      summary: 'The latest scan of a QR code',
      description:
        'The latest scan by a person after an instant, which can be up to 10 minutes ago. Useful for a program that waits for a test scan.',
    },
    'GET /api/analytics/qr-codes': {
      name: 'readScansByCode',
      summary: 'Scans by QR code',
      description: 'All codes with scans: how many, and when the last one was.',
    },
    'GET /api/analytics/daily-breakdown': {
      name: 'readDailyBreakdown',
      summary: 'The last 30 days by QR code',
      description: 'One row per day, oldest first: `date`, and each code’s scans under its name.',
    },
    'GET /api/analytics/figures': {
      name: 'readFigures',
      summary: 'Scans over time',
      description: `The scans of a range over time, with the previous period. ${counted} Choose codes by qr, tag or externalId. With several filters, such as country and utm_campaign, a scan counts if it matches all of them; \`-\` means unknown.`,
    },
    'GET /api/analytics/breakdown': {
      name: 'readBreakdown',
      summary: 'Scans by country, device and so on',
      description: `The scans broken down by one facet, most first. ${counted}`,
    },
    'GET /api/analytics/ranking': {
      name: 'readRanking',
      summary: 'Top QR codes and tags',
      description: `The codes with the most scans in a range, at most 500, and how many scans the codes of each tag have together, and those that met each UTM parameter: a scan keeps the parameters that the destination had when it was made. Scans from before your server noted them count for today’s destination. ${counted}`,
    },
    'GET /api/analytics/heatmap': {
      name: 'readHeatmap',
      summary: 'Scans by weekday and hour',
      description: 'Seven rows, Monday first, of 24 hours each.',
    },
    'GET /api/analytics/classes': {
      name: 'readClasses',
      summary: 'Why visits count as people or bots',
    },
    'GET /api/analytics/now': {
      name: 'readNow',
      summary: 'The last half hour',
      description: 'Scans by minute, oldest first, and the last 20 scans.',
    },
    'GET /api/analytics/scans': {
      name: 'describeScansFile',
      summary: 'Preview the file of scans',
    },
    'GET /api/analytics/scans.csv': {
      name: 'downloadScans',
      summary: 'Export scans',
      description:
        'A CSV file in UTF-8 with a row per scan, oldest first. It’s safe to open in a spreadsheet: no cell is read as a formula.',
      file: 'text/csv',
    },
    'GET /api/analytics/scans.json': {
      name: 'listScans',
      description:
        'Single scans, oldest first, in pages: send `nextCursor` as `cursor` until it’s null. Its values are those that filters take.',
    },
    'POST /api/analytics/shares': {
      name: 'shareFigures',
      summary: 'Share a QR code’s analytics',
      description:
        'Creates a link to a page with this code’s analytics. Anyone with the link can open it, for 7, 30, 90 or 365 days.',
      errors: ['shares_full'],
    },
    'GET /api/analytics/shares': {
      name: 'listShares',
      summary: 'List a QR code’s share links',
    },
    'DELETE /api/analytics/shares/:id': {
      name: 'endShare',
      summary: 'Stop a share link',
      errors: ['share_not_found'],
    },
  },
}
