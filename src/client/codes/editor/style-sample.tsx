import { DEFAULT_BACKGROUND, DEFAULT_FOREGROUND } from '#contract/code-values.ts'
import type { Style } from '#contract/codes.ts'
import type { Look } from '../image-address.ts'
import styles from './choices.module.css'
import { useDrawn } from './picture.ts'

/** Short enough for the smallest symbol. */
const SAMPLE_TEXT = 'TESSERA'

const lookIn = (style: Style): Look => ({
  ...{ style, foreground: DEFAULT_FOREGROUND, background: DEFAULT_BACKGROUND },
  ...{ ecc: 'L', compact: false },
})
const looks: Record<Style, Look> = { classic: lookIn('classic'), rounded: lookIn('rounded') }

/** A corner of a symbol as the engine draws it: always dark on light, whatever the code's colours. */
export function StyleSample({ style }: { style: Style }) {
  const drawn = useDrawn(SAMPLE_TEXT, looks[style])
  return (
    <span
      className={styles.sample}
      style={{ backgroundImage: drawn && `url("${drawn}")` }}
      aria-hidden
    />
  )
}
