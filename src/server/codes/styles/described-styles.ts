import type { Group } from '../../openapi/operation.ts'
import { HOUSE_STYLE, LOGO, MENU, POSTER, TODAY } from '../../openapi/story.ts'

const made = { createdAt: `${TODAY}T09:00:00.000Z` }
const look = { style: 'rounded', foregroundColor: '#1e40af', backgroundColor: '#f0f9ff' }
const rest = { ecc: 'M', compact: false, artwork: null }
const style = { id: HOUSE_STYLE, name: 'House', look: { ...look, ...rest }, isDefault: false }
const logo = { id: LOGO, name: 'cup.svg', width: 512, height: 512, reach: 1 }
const ONE = { path: { id: HOUSE_STYLE } }
const CUP =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="12" fill="#0b6655"/></svg>'

export const styles: Group = {
  name: 'Styles and logos',
  description:
    'A design has a name and can be used for many codes, such as all codes of a brand. A logo is a picture that the `artwork` of a code or a design can have in its center.',
  operations: {
    'GET /api/looks': {
      name: 'listStyles',
      summary: 'List designs',
      example: { answer: { status: 200, body: [] } },
    },
    'POST /api/looks': {
      name: 'makeStyle',
      summary: 'Save a design',
      description: 'New codes start with the design that has `isDefault`.',
      errors: ['look_name_taken', 'looks_full'],
      example: {
        body: { name: 'House', look },
        answer: { status: 201, body: { ...style, ...made } },
      },
    },
    'PATCH /api/looks/:id': {
      name: 'changeStyle',
      summary: 'Change a design',
      description: 'Codes that already use it stay as they are until you apply it again.',
      errors: ['look_name_taken'],
      example: {
        ...ONE,
        body: { isDefault: true },
        answer: { status: 200, body: { ...style, isDefault: true, ...made } },
      },
    },
    'POST /api/looks/:id/apply': {
      name: 'useStyle',
      summary: 'Apply a design to many QR codes',
      description: 'Gives the codes this design: all or none. Printed codes keep working.',
      errors: ['code_not_found'],
      example: {
        ...ONE,
        body: { ids: [MENU, POSTER] },
        answer: { status: 200, body: { changed: 2 } },
      },
    },
    'DELETE /api/looks/:id': {
      name: 'deleteStyle',
      summary: 'Delete a design',
      description: 'Codes that use it stay as they are.',
      example: { ...ONE, answer: { status: 204 } },
    },
    'POST /api/logos': {
      name: 'sendLogo',
      summary: 'Upload a logo',
      description:
        'The body is the file itself: PNG, JPG, WebP or SVG, up to 2 MB. If you’ve uploaded the picture before, the response is 200 with its logo, so a repeated call needs no `Idempotency-Key`.',
      errors: ['picture_unreadable', 'logos_full'],
      takes: ['image/svg+xml', 'image/png', 'image/jpeg', 'image/webp'],
      example: {
        query: { name: 'cup.svg' },
        headers: { 'Content-Type': 'image/svg+xml' },
        body: CUP,
        answer: { status: 201, body: { ...logo, ...made } },
      },
    },
    'GET /api/logos': {
      name: 'listLogos',
      summary: 'List logos',
      example: { answer: { status: 200, body: [{ ...logo, ...made }] } },
    },
    'GET /api/logos/:id': {
      name: 'readLogo',
      summary: 'Get a logo’s picture',
      gives: ['image/png'],
      example: { path: { id: LOGO }, answer: { status: 200 } },
    },
    'DELETE /api/logos/:id': {
      name: 'deleteLogo',
      summary: 'Delete a logo',
      description: 'A logo can’t be deleted while a code or a design uses it.',
      errors: ['logo_in_use'],
      example: { path: { id: LOGO }, answer: { status: 204 } },
    },
  },
}
