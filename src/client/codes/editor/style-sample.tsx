import { DEFAULT_LOOK, type Look, type Style } from '#qr/symbol/look.ts'
import styles from './choices.module.css'
import { useDrawn } from './picture.ts'

/** Short enough for the smallest symbol. */
const SAMPLE_TEXT = 'TESSERA'

const lookIn = (style: Style): Look => ({ ...DEFAULT_LOOK, style, ecc: 'L' })
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
