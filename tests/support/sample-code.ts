import type { QrCode } from '../../src/contract/codes.ts'

/** A saved code as the API answers it, for tests without a server. */
export const sampleCode: QrCode = {
  id: 'c0de',
  name: 'Menu',
  url: 'https://example.com/',
  link: 'https://qr.example.com/qr/menu',
  externalId: null,
  domain: null,
  vanityUrl: 'menu',
  tags: [],
  style: 'classic',
  foregroundColor: '#000000',
  backgroundColor: '#FFFFFF',
  ecc: 'M',
  compact: false,
  artwork: null,
  pictureVersion: 'one',
  legibility: null,
  shortCode: 'k7m2xqp',
  isActive: true,
  expiresAt: null,
  createdAt: '2026-11-01T12:00:00.000Z',
  passQuery: false,
  version: 1,
}
