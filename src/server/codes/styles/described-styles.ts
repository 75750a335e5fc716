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
    'A style is a look under a name: one for all codes of a brand. A logo is a picture that the `artwork` of a code or a style can have in its middle.',
  operations: {
    'GET /api/looks': {
      name: 'listStyles',
      summary: 'List styles',
      example: { answer: { status: 200, body: [] } },
    },
    'POST /api/looks': {
      name: 'makeStyle',
      summary: 'Keep a style',
      description: 'New codes begin with the style that has `isDefault`.',
      errors: ['look_name_taken', 'looks_full'],
      example: {
        body: { name: 'House', look },
        answer: { status: 201, body: { ...style, ...made } },
      },
    },
    'PATCH /api/looks/:id': {
      name: 'changeStyle',
      summary: 'Change a style',
      description: 'Codes that have the look already keep it until it is used for them again.',
      errors: ['look_name_taken'],
      example: {
        ...ONE,
        body: { isDefault: true },
        answer: { status: 200, body: { ...style, isDefault: true, ...made } },
      },
    },
    'POST /api/looks/:id/apply': {
      name: 'useStyle',
      summary: 'Use a style for many QR codes',
      description: 'Gives the codes this look: all, or none. What is printed keeps working.',
      errors: ['code_not_found'],
      example: {
        ...ONE,
        body: { ids: [MENU, POSTER] },
        answer: { status: 200, body: { changed: 2 } },
      },
    },
    'DELETE /api/looks/:id': {
      name: 'deleteStyle',
      summary: 'Delete a style',
      description: 'Codes that have the look keep it.',
      example: { ...ONE, answer: { status: 204 } },
    },
    'POST /api/logos': {
      name: 'sendLogo',
      summary: 'Send a logo',
      description:
        'The body is the file itself: PNG, JPG, WebP or SVG, at most 2 MB. A file that you have sent before is answered with 200 and its logo.',
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
      summary: 'Read the picture of a logo',
      gives: ['image/png'],
      example: { path: { id: LOGO }, answer: { status: 200 } },
    },
    'DELETE /api/logos/:id': {
      name: 'deleteLogo',
      summary: 'Delete a logo',
      description: 'A logo that a code or a style has cannot be deleted.',
      errors: ['logo_in_use'],
      example: { path: { id: LOGO }, answer: { status: 204 } },
    },
  },
}
