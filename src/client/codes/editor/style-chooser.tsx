import { Radio, SimpleGrid, Text } from '@mantine/core'
import { type Style, styles as styleNames } from '#qr/symbol/look.ts'
import styles from './choices.module.css'
import { StyleSample } from './style-sample.tsx'

const texts: Record<Style, { name: string; description: string }> = {
  classic: { name: 'Classic', description: 'Sharp corners, traditional look' },
  rounded: { name: 'Rounded', description: 'Soft rounded corners, modern feel' },
}

type Props = { value?: Style; onChange?: (style: Style) => void }

export function StyleChooser({ value, onChange }: Props) {
  return (
    <Radio.Group label="Style" value={value} onChange={(style) => onChange?.(style as Style)}>
      <SimpleGrid cols={2} spacing="xs" mt={4}>
        {styleNames.map((style) => (
          <Radio.Card key={style} value={style} type="button" className={styles.card} p="sm">
            <StyleSample style={style} />
            <span>
              <Text component="span" display="block" size="sm" fw={600}>
                {texts[style].name}
              </Text>
              <Text component="span" display="block" size="xs" c="dimmed">
                {texts[style].description}
              </Text>
            </span>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
