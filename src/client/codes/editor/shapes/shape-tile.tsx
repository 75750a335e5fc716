import { Text } from '@mantine/core'
import { useMemo } from 'react'
import { type Artwork, PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { useDrawn } from '../../../drawn-symbol.ts'
import styles from '../artwork/artwork.module.css'
import { ChoiceCard } from '../choice-card.tsx'

type Props = {
  value: string
  name: string
  chosen: string
  isFirst: boolean
  /** What of the artwork the sample shows */
  part: Partial<Artwork>
  /** The part of the symbol that is shown: an eye, or modules without one */
  crop: Crop
}

/** Left, top and edge in modules, of the smallest symbol with its margin. */
export type Crop = readonly [number, number, number]
export const AN_EYE: Crop = [3.5, 3.5, 8]
export const MODULES: Crop = [16, 16, 8]

/** Short enough to fit the smallest symbol, of 21 modules with 4 on each side. */
const SAMPLE_TEXT = 'TESSERA'
const PAGE = 29
const SHOWN_PX = 44

/** A shape to choose, drawn by the engine. */
export function ShapeTile({ value, name, chosen, isFirst, part, crop: [x, y, edge] }: Props) {
  const key = JSON.stringify(part)
  const look = useMemo(
    () => ({
      ...DEFAULT_LOOK,
      ecc: 'L' as const,
      artwork: { ...PLAIN_ARTWORK, ...(JSON.parse(key) as Partial<Artwork>) },
    }),
    [key],
  )
  const drawn = useDrawn(SAMPLE_TEXT, look)
  const module = SHOWN_PX / edge
  return (
    <ChoiceCard value={value} chosen={chosen} isFirst={isFirst} isTile className={styles.tile}>
      <span
        className={styles.sample}
        style={{
          backgroundImage: drawn && `url("${drawn}")`,
          backgroundSize: PAGE * module,
          backgroundPosition: `${-x * module}px ${-y * module}px`,
        }}
        aria-hidden
      />
      <Text component="span" size="xs">
        {name}
      </Text>
    </ChoiceCard>
  )
}
