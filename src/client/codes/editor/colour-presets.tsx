import { Radio, SimpleGrid, Text } from '@mantine/core'
import { colourPresets, lookOf, presetOf } from '#contract/pictures.ts'
import styles from './choices.module.css'
import type { EditorForm } from './editor.ts'

/** Eight pairs of colours; the one whose colours the form has now is the chosen one. */
export function ColourPresets({ form }: { form: EditorForm }) {
  const chosen = presetOf(lookOf(form.values))?.name ?? ''
  const choose = (name: string) => {
    const preset = colourPresets.find((one) => one.name === name)
    if (!preset) return
    form.setValues({ foregroundColor: preset.foreground, backgroundColor: preset.background })
  }
  return (
    <Radio.Group label="Colour presets" value={chosen} onChange={choose}>
      <SimpleGrid cols={4} spacing={8} mt={4}>
        {colourPresets.map(({ name, foreground, background }) => (
          <Radio.Card
            key={name}
            value={name}
            type="button"
            className={`${styles.card} ${styles.preset}`}
            p={8}
          >
            <span
              className={styles.swatch}
              style={{ background, color: foreground }}
              data-style={form.values.style}
              aria-hidden
            />
            <Text component="span" size="sm">
              {name}
            </Text>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
