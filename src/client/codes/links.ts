import type { QrCode } from '#contract/codes.ts'

/** The part of a code's link that its owner can choose, else the one it was born with. */
export function pathOf(code: Pick<QrCode, 'vanityUrl' | 'shortCode'>): string {
  return code.vanityUrl || code.shortCode
}

/** The link a code carries: the server's origin, /qr/ and the path. */
export function linkOf(hostUrl: string, path: string): string {
  return `${hostUrl}/qr/${path}`
}

/** The origin as people read it, without the scheme. */
export function hostOf(hostUrl: string): string {
  return hostUrl.replace(/^https?:\/\//, '')
}

/** What is typed as a custom path: lower case, and only a-z, 0-9, hyphen and underscore. */
export function foldPath(typed: string): string {
  return typed.toLowerCase().replace(/[^a-z0-9_-]/g, '')
}
