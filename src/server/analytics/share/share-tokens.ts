import { createHmac, hash } from 'node:crypto'

/**
 * The token of a shared page's link: 256 bits, 43 characters. It is made from the share's id with the
 * server's secret, so that its owner can copy the link again while the database has only its hash.
 */
export function tokenOf(secret: string, shareId: string): string {
  return createHmac('sha256', secret).update(`shared page ${shareId}`).digest('base64url')
}

/** What the database knows a token by. */
export const hashOfToken = (token: string) => hash('sha256', `share:${token}`, 'base64url')

/** The address of a shared page. */
export const linkOf = (publicUrl: string, token: string) => `${publicUrl}/api/share/${token}`
