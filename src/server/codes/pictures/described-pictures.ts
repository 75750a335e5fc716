import type { Group } from '../../openapi/operation.ts'

const WHOLE = 'Every code is tested with scanners before it’s sent.'

export const pictures: Group = {
  name: 'Pictures and print',
  description:
    'Pictures of a code in every format. What you leave out of the design comes from the code.',
  operations: {
    'GET /api/qr-codes/:id/generate': {
      name: 'drawQrCode',
      description:
        'SVG, PDF and EPS stay sharp at any size. `size` is the edge in pixels, `mm` the edge in print. The response has an `ETag`; with `If-None-Match` you only load the picture again if it has changed.',
      headers: ['ETag'],
      also: { 304: 'Your picture is still up to date.' },
      gives: [
        ...['image/png', 'image/svg+xml', 'image/jpeg', 'image/webp'],
        ...['application/pdf', 'application/postscript'],
      ],
    },
    'GET /api/qr-codes/:id/download-zip': {
      name: 'zipQrCode',
      summary: 'Draw a QR code in all formats',
      description: 'A ZIP file with a PNG, an SVG and a JPG.',
      file: 'application/zip',
    },
    'GET /api/qr-codes/:id/legibility': {
      name: 'checkQrCode',
      summary: 'Check whether a QR code scans',
      description:
        'Scanners read the picture as it is, small, blurred and in low light. Test a design before you save it: send the same parameters as for the picture.',
    },
    'POST /api/qr-codes/pictures': {
      name: 'zipQrCodes',
      summary: 'Draw many QR codes',
      description: `A ZIP file with a PNG and an SVG of each code, up to 1,000. ${WHOLE}`,
      errors: ['code_not_found'],
      headers: ['X-Total-Files'],
      file: 'application/zip',
    },
    'POST /api/qr-codes/labels': {
      name: 'printLabels',
      summary: 'Create a PDF of labels',
      description: `Sheets with up to 1,000 codes, each with its name and link: on plain paper to cut, an Avery sheet by its number, or a custom size. ${WHOLE}`,
      errors: ['code_not_found'],
      headers: ['X-Total-Files'],
      file: 'application/pdf',
    },
    'GET /api/qr-codes/:id/print-proofs': {
      name: 'listPrintProofs',
      summary: 'List print checks',
      description: 'The last 10 checks of photos of the printed code, newest first.',
    },
    'POST /api/qr-codes/:id/print-proofs': {
      name: 'checkPrint',
      summary: 'Record a print check',
      description:
        'Send what a scanner read in a photo of the print. The response tells whether it was this code.',
    },
  },
}
