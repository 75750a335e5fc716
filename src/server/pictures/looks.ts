import { hash } from 'node:crypto'
import type { Ecc, Style } from '#contract/codes.ts'
import { normalColour } from '#qr/formats/colour.ts'

/** What a code's pictures say and how they look, whatever their format and size. */
export interface Look {
  /** What the code says: a short link */
  readonly text: string
  readonly ecc: Ecc
  readonly style: Style
  /** #rgb or #rrggbb */
  readonly foreground: string
  /** #rgb or #rrggbb */
  readonly background: string
}

/** Raise it with every change of the engine that changes any byte of any picture. */
export const ENGINE_VERSION = 1

/** 96 bits: no two looks of one server ever share a version by chance. */
const VERSION_LENGTH = 16

/**
 * A short name for all that decides a look's pictures but for format and size: as long as it stays
 * the same, so do their bytes. However a colour was typed, it is the same.
 */
export function pictureVersion({ text, ecc, style, foreground, background }: Look): string {
  const colours = [normalColour(foreground), normalColour(background)]
  const decisive = JSON.stringify([ENGINE_VERSION, text, ecc, style, ...colours])
  return hash('sha256', decisive, 'base64url').slice(0, VERSION_LENGTH)
}
