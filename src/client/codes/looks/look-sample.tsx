import { useMemo } from 'react'
import { lookOf } from '#contract/pictures/pictures.ts'
import { useDrawn } from '../../drawn-symbol.ts'
import type { LookValues } from './look-values.ts'
import styles from './looks.module.css'

/** Short, so that its modules are large in a small picture. */
const SAMPLE_TEXT = 'TESSERA'

/** A small picture of a look, drawn by the engine. */
export function LookSample({ look }: { look: LookValues }) {
  const drawn = useDrawn(
    SAMPLE_TEXT,
    useMemo(() => lookOf(look), [look]),
  )
  return (
    <span
      className={styles.sample}
      style={{ backgroundImage: drawn && `url("${drawn}")` }}
      aria-hidden
    />
  )
}
