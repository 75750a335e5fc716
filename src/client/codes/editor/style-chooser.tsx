import { Radio, SimpleGrid, Text } from '@mantine/core'
import { styles as allStyles, DEFAULT_LOOK, type Look, type Style } from '#qr/symbol/look.ts'
import { useDrawn } from '../../drawn-symbol.ts'
import { ChoiceCard } from './choice-card.tsx'
import styles from './fields.module.css'
import { fieldNames } from './values.ts'

const texts: Record<Style, { name: string; description: string }> = {
  classic: { name: 'Classic', description: 'Sharp corners, traditional look' },
  rounded: { name: 'Rounded', description: 'Soft rounded corners, modern feel' },
}

export const styleNames: Record<Style, string> = {
  classic: texts.classic.name,
  rounded: texts.rounded.name,
}

type Props = { value?: Style; onChange?: (style: Style) => void }

export function StyleChooser({ value, onChange }: Props) {
  return (
    <Radio.Group
      label={fieldNames.style}
      value={value}
      onChange={(style) => onChange?.(style as Style)}
    >
      <SimpleGrid cols={2} spacing="xs" mt={4}>
        {allStyles.map((style, index) => (
          <ChoiceCard key={style} value={style} chosen={value} isFirst={index === 0} p="sm">
            <StyleSample style={style} />
            <span>
              <Text component="span" display="block" size="sm" fw={600}>
                {texts[style].name}
              </Text>
              <Text component="span" display="block" size="xs" c="dimmed">
                {texts[style].description}
              </Text>
            </span>
          </ChoiceCard>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}

/** Short enough to fit the smallest symbol. */
const SAMPLE_TEXT = 'TESSERA'

const lookIn = (style: Style): Look => ({ ...DEFAULT_LOOK, style, ecc: 'L' })
const looks: Record<Style, Look> = { classic: lookIn('classic'), rounded: lookIn('rounded') }

/** A corner of a symbol, drawn by the engine. It is always black on white. */
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
