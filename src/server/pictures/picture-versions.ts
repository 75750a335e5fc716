import { hash } from 'node:crypto'
import { type Design, normalColour, symbolText } from '#qr/symbol/look.ts'
import type { Picture } from './pictures.ts'

/** To be raised with every change of the engine that changes any byte of any picture. */
export const ENGINE_VERSION = 3

/** 96 bits: no two designs on one server ever have the same version by chance. */
const VERSION_LENGTH = 16

/**
 * A short name for all that decides a design's pictures, except format and size: while it stays the
 * same, so do their bytes. It does not depend on how a colour was typed.
 */
export function pictureVersion({
  text,
  compact,
  ecc,
  style,
  foreground,
  background,
  artwork,
}: Design): string {
  const colours = [normalColour(foreground), normalColour(background)]
  const decisive = JSON.stringify([
    ENGINE_VERSION,
    symbolText(text, compact),
    ecc,
    style,
    ...colours,
    // Codes without it keep the versions that they had.
    ...(artwork ? [artwork] : []),
  ])
  return hash('sha256', decisive, 'base64url').slice(0, VERSION_LENGTH)
}

/** A picture's strong entity tag (RFC 9110 §8.8.3), quotes included. It needs no drawing. */
export function pictureETag(picture: Picture): string {
  const { format, size, printSize, space } = picture
  const decisive = JSON.stringify([
    ...[pictureVersion(picture), format, size, printSize],
    ...(space ? [space] : []),
  ])
  return `"${hash('sha256', decisive, 'base64url')}"`
}

/**
 * Whether the client has the picture already. If-None-Match is a list, and proxies that compress make
 * its tags weak (RFC 9110 §13.1.2).
 */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags?.some((tag) => tag === etag || tag === '*') ?? false
}

/**
 * An address with the version of its picture can be cached for ever (RFC 8246): it also names format,
 * size and look, and the version covers all that comes from the code. For any other address the
 * browser asks again, which costs a 304.
 */
export function cacheControl(picture: Picture, askedVersion: string | undefined): string {
  return askedVersion === pictureVersion(picture)
    ? 'private, max-age=31536000, immutable'
    : 'private, no-cache'
}
