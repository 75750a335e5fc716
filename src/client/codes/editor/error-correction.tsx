import { Radio, SimpleGrid, Text } from '@mantine/core'
import { type Ecc, eccLevels } from '#qr/symbol/look.ts'
import styles from './choices.module.css'
import type { SymbolSizes } from './symbol-sizes.ts'

export const levelNames: Record<Ecc, string> = {
  L: 'Low (7\u00a0%)',
  M: 'Medium (15\u00a0%)',
  Q: 'Quartile (25\u00a0%)',
  H: 'High (30\u00a0%)',
}

const HINT =
  'How much of the code can be dirty, damaged or covered by a logo. More of it makes the modules smaller.'

type Props = {
  value?: Ecc
  onChange?: (ecc: Ecc) => void
  compact: boolean
  sizes: SymbolSizes | undefined
}

/** The four levels, each with the size that it makes of this code. */
export function ErrorCorrection({ value, onChange, compact, sizes }: Props) {
  const sizeOf = (ecc: Ecc) => sizes?.[ecc][compact ? 'compact' : 'plain']
  return (
    <Radio.Group
      label="Error correction"
      description={HINT}
      value={value}
      onChange={(ecc) => onChange?.(ecc as Ecc)}
    >
      <SimpleGrid cols={2} spacing="xs" mt={8}>
        {eccLevels.map((ecc) => (
          <Radio.Card key={ecc} value={ecc} type="button" className={styles.card} p={8}>
            <span>
              <Text component="span" display="block" size="sm">
                {levelNames[ecc]}
              </Text>
              <Text component="span" display="block" size="xs" c="dimmed">
                {sizeOf(ecc) ? `${sizeOf(ecc)} modules wide` : '\u00a0'}
              </Text>
            </span>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
