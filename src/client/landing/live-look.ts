import { colourPresets, styles } from '#contract/code-values.ts'

/** How the live code looks: what the editor offers, without colours of one's own. */
export type LiveLook = {
  style: (typeof styles)[number]
  colours: (typeof colourPresets)[number]
}

export const FIRST_LOOK: LiveLook = { style: styles[0], colours: colourPresets[0] }
