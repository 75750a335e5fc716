import type { Group } from '../../openapi/operation.ts'

export const styles: Group = {
  name: 'Styles and logos',
  description:
    'A design has a name and can be used for many codes, such as all codes of a brand. A logo is a picture that the `artwork` of a code or a design can have in its center.',
  operations: {
    'GET /api/looks': {
      name: 'listStyles',
      summary: 'List designs',
    },
    'POST /api/looks': {
      name: 'makeStyle',
      summary: 'Save a design',
      description: 'New codes start with the design that has `isDefault`.',
      errors: ['look_name_taken', 'looks_full'],
    },
    'PATCH /api/looks/:id': {
      name: 'changeStyle',
      summary: 'Change a design',
      description: 'Codes that already use it stay as they are until you apply it again.',
      errors: ['look_name_taken'],
    },
    'POST /api/looks/:id/apply': {
      name: 'useStyle',
      summary: 'Apply a design to many QR codes',
      description: 'Gives the codes this design: all or none. Printed codes keep working.',
      errors: ['code_not_found'],
    },
    'DELETE /api/looks/:id': {
      name: 'deleteStyle',
      summary: 'Delete a design',
      description: 'Codes that use it stay as they are.',
    },
    'POST /api/logos': {
      name: 'sendLogo',
      summary: 'Upload a logo',
      description:
        'The body is the file itself: PNG, JPG, WebP or SVG, up to 2 MB. If you’ve uploaded the picture before, the response is 200 with its logo, so a repeated call needs no `Idempotency-Key`.',
      errors: ['picture_unreadable', 'logos_full'],
      takes: ['image/svg+xml', 'image/png', 'image/jpeg', 'image/webp'],
    },
    'GET /api/logos': {
      name: 'listLogos',
    },
    'GET /api/logos/:id': {
      name: 'readLogo',
      summary: 'Get a logo’s picture',
      gives: ['image/png'],
    },
    'DELETE /api/logos/:id': {
      name: 'deleteLogo',
      description: 'A logo can’t be deleted while a code or a design uses it.',
      errors: ['logo_in_use'],
    },
  },
}
