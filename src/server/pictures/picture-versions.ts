import { hash } from 'node:crypto'
import { normalColour } from '#qr/formats/colour.ts'
import { symbolText } from '#qr/symbol/encode.ts'
import type { Design } from '#qr/symbol/look.ts'
import type { Picture } from './pictures.ts'

/** Raise it with every change of the engine that changes any byte of any picture. */
export const ENGINE_VERSION = 1

/** 96 bits: no two looks of one server ever share a version by chance. */
const VERSION_LENGTH = 16

/**
 * A short name for all that decides a look's pictures but for format and size: as long as it stays
 * the same, so do their bytes. However a colour was typed, it is the same.
 */
export function pictureVersion({
  text,
  compact,
  ecc,
  style,
  foreground,
  background,
}: Design): string {
  const colours = [normalColour(foreground), normalColour(background)]
  const decisive = JSON.stringify([
    ENGINE_VERSION,
    symbolText(text, compact),
    ecc,
    style,
    ...colours,
  ])
  return hash('sha256', decisive, 'base64url').slice(0, VERSION_LENGTH)
}

/** A strong entity tag (RFC 9110 §8.8.3), quotes included, known without drawing. */
export function pictureETag(picture: Picture): string {
  const { format, size, printSize } = picture
  const decisive = JSON.stringify([pictureVersion(picture), format, size, printSize])
  return `"${hash('sha256', decisive, 'base64url')}"`
}

/** If-None-Match is a list, and proxies that compress make its tags weak (RFC 9110 §13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags?.some((tag) => tag === etag || tag === '*') ?? false
}

/**
 * An address that names the version of what is drawn can be kept for ever (RFC 8246): its format,
 * size and look stand in it, and the version covers all that the code adds. Any other is asked for
 * again, which costs a 304.
 */
export function cacheControl(picture: Picture, askedVersion: string | undefined): string {
  return askedVersion === pictureVersion(picture)
    ? 'private, max-age=31536000, immutable'
    : 'private, no-cache'
}
