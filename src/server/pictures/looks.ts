import { hash } from 'node:crypto'
import { normalColour } from '#qr/formats/colour.ts'
import { symbolText } from '#qr/symbol/encode.ts'
import type { Design } from '#qr/symbol/look.ts'

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
