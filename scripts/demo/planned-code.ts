import type { CodeChange } from '#contract/codes.ts'
import { colourPresets } from '#contract/pictures.ts'
import type { Scanned } from './past.ts'

/** A code of the demo and its life. All days are UTC days since 1970-01-01. */
export type PlannedCode = {
  name: string
  url: string
  look?: Look
  path?: string
  /** A custom path that it had before */
  formerPath?: string
  created: number
  paused?: number
  /** The last day on which it worked */
  ended?: number
  deleted?: number
  scanned?: Scanned
}

export type Look = Pick<CodeChange, 'style' | 'foregroundColor' | 'backgroundColor' | 'compact'>

type Preset = (typeof colourPresets)[number]['name']

/** The look of one of the editor's presets. */
export function preset(name: Preset, more: Look = {}): Look {
  const found = colourPresets.find((each) => each.name === name)
  return { foregroundColor: found?.foreground, backgroundColor: found?.background, ...more }
}

export const colours = (
  foregroundColor: string,
  backgroundColor: string,
  more: Look = {},
): Look => ({
  foregroundColor,
  backgroundColor,
  ...more,
})
