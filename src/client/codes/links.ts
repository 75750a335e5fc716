import type { QrCode } from '#contract/codes/codes.ts'
import { shortLink } from '#contract/links.ts'
import { copyText } from '../files/clipboard.ts'

/** The code's custom path, or else its short code. */
export function pathOf(code: Pick<QrCode, 'vanityUrl' | 'shortCode'>): string {
  return code.vanityUrl || code.shortCode
}

/** The link in a code: its domain, or else the server's origin, /qr/ and the path. */
export function linkOf(
  hostUrl: string,
  code: Pick<QrCode, 'domain' | 'vanityUrl' | 'shortCode'>,
): string {
  return shortLink(pathOf(code), code.domain || null, hostUrl)
}

/** The origin without its scheme, for people to read. */
export function hostOf(hostUrl: string): string {
  return hostUrl.replace(/^https?:\/\//, '')
}

/** Cleans a custom path while it is typed: lower case, and only a-z, 0-9, hyphen and underscore. */
export function foldPath(typed: string): string {
  return typed.toLowerCase().replace(/[^a-z0-9_-]/g, '')
}

export const copyLink = (link: string) =>
  copyText(link, 'URL copied to clipboard!', 'Failed to copy URL')

/** Whether this is a phone or a tablet that can hand a link to its other apps */
export const canShare = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches

/** Opens the device's own list of apps to send a link with. */
export async function shareLink(link: string, title: string): Promise<void> {
  // It fails if the person closes the list.
  await navigator.share({ title, url: link }).catch(() => {})
}
