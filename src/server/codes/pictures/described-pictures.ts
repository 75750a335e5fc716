import type { Group } from '../../openapi/operation.ts'
import { MENU, POSTER, TODAY } from '../../openapi/story.ts'

const ONE = { path: { id: MENU } }
const both = { zxing: true, jsqr: true }
const WHOLE = 'Every code is read by scanners before you get the file.'

export const pictures: Group = {
  name: 'Pictures and print',
  description:
    'Pictures of a code in every format. What you leave out of the design comes from the code.',
  operations: {
    'GET /api/qr-codes/:id/generate': {
      name: 'drawQrCode',
      summary: 'Draw a QR code',
      description:
        'SVG, PDF and EPS stay sharp at any size. `size` is the edge in pixels, `mm` the edge in print. The answer has an `ETag`; with `If-None-Match` you download the picture again only if it changed.',
      errors: ['code_not_found'],
      headers: ['ETag'],
      also: { 304: 'The picture that you have is still the newest.' },
      gives: [
        ...['image/png', 'image/svg+xml', 'image/jpeg', 'image/webp'],
        ...['application/pdf', 'application/postscript'],
      ],
      example: { ...ONE, query: { format: 'svg' }, answer: { status: 200 } },
    },
    'GET /api/qr-codes/:id/download-zip': {
      name: 'zipQrCode',
      summary: 'Draw a QR code in all formats',
      description: 'A zip with a PNG, an SVG and a JPG.',
      errors: ['code_not_found'],
      headers: ['Content-Disposition'],
      gives: ['application/zip'],
      example: { ...ONE, query: { size: '2048' }, answer: { status: 200 } },
    },
    'GET /api/qr-codes/:id/legibility': {
      name: 'checkQrCode',
      summary: 'Check whether a QR code scans',
      description:
        'Scanners read the picture as it is, small, blurred and in dim light. Use it to try a design before you save it: it takes the same parameters as the picture.',
      errors: ['code_not_found'],
      example: {
        ...ONE,
        query: { fg: '1e40af', bg: 'f0f9ff' },
        answer: {
          status: 200,
          body: {
            verdict: 'excellent',
            reason:
              'Both of our test scanners read this code, even small, out of focus and in poor light.',
            contrast: 8.18,
            inverted: false,
            reads: { asIs: both, small: both, blurred: both, lowLight: both },
            damageMargin: 0.081,
          },
        },
      },
    },
    'POST /api/qr-codes/pictures': {
      name: 'zipQrCodes',
      summary: 'Draw many QR codes',
      description: `A zip with a PNG and an SVG of each code, up to 1,000. ${WHOLE}`,
      errors: ['code_not_found'],
      headers: ['Content-Disposition', 'X-Total-Files'],
      gives: ['application/zip'],
      example: { body: { ids: [MENU, POSTER] }, answer: { status: 200 } },
    },
    'POST /api/qr-codes/labels': {
      name: 'printLabels',
      summary: 'Create a PDF of labels',
      description: `Sheets with up to 1,000 codes, each with its name and its link: plain paper to cut, an Avery sheet by its number, or custom sizes. ${WHOLE}`,
      errors: ['code_not_found'],
      headers: ['Content-Disposition', 'X-Total-Files'],
      gives: ['application/pdf'],
      example: {
        body: { ids: [MENU, POSTER], sheet: 'L7160', first: 4, caption: 'name' },
        answer: { status: 200 },
      },
    },
    'GET /api/qr-codes/:id/print-proofs': {
      name: 'listPrintProofs',
      summary: 'List print checks',
      description: 'The last 10 checks of photos of the printed code, newest first.',
      errors: ['code_not_found'],
      example: { ...ONE, answer: { status: 200, body: [] } },
    },
    'POST /api/qr-codes/:id/print-proofs': {
      name: 'checkPrint',
      summary: 'Save a print check',
      description:
        'Send what a scanner read in a photo of the print. The answer says whether it was this code.',
      errors: ['code_not_found'],
      example: {
        ...ONE,
        body: { found: 'nothing', trouble: 'glare' },
        answer: {
          status: 201,
          body: { proof: { verdict: 'glare', checkedAt: `${TODAY}T09:10:00.000Z` }, shown: null },
        },
      },
    },
  },
}
