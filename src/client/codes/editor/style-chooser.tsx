import { Radio, SimpleGrid, Text } from '@mantine/core'
import { styles as allStyles, DEFAULT_LOOK, type Style } from '#qr/symbol/look.ts'
import { Line } from '../../ui/quiet.tsx'
import { type Crop, StyleSample } from '../styles/style-sample.tsx'
import { artworkOf, hasOwnShapes, NO_SHAPES } from './artwork/artwork-form.ts'
import type { EditorForm } from './editor.ts'
import { ChoiceCard } from './fields.tsx'
import { fieldNames } from './values.ts'

const descriptions: Record<Style, string> = {
  classic: 'Sharp corners, traditional look',
  rounded: 'Soft rounded corners, modern feel',
}

export const styleNames: Record<Style, string> = { classic: 'Classic', rounded: 'Rounded' }

/** Two styles. Neither is chosen while the code has shapes of its own. */
export function StyleChooser({ form }: { form: EditorForm }) {
  const { artwork, change } = artworkOf(form)
  const isCustom = hasOwnShapes(artwork)
  const value = isCustom ? '' : form.values.style
  return (
    <Radio.Group
      label={
        <>
          {fieldNames.style}{' '}
          {isCustom && (
            <Text component="span" size="sm" c="dimmed">
              Custom
            </Text>
          )}
        </>
      }
      value={value}
      onChange={(style) => change(NO_SHAPES, { style: style as Style })}
    >
      <SimpleGrid cols={2} spacing="xs" mt={4}>
        {allStyles.map((style, index) => (
          <ChoiceCard key={style} value={style} chosen={value} isFirst={index === 0} p="sm">
            <StyleSample look={{ ...DEFAULT_LOOK, style, ecc: 'L' }} crop={CORNER} />
            <span>
              <Text component="span" display="block" size="sm" fw={600}>
                {styleNames[style]}
              </Text>
              <Line>{descriptions[style]}</Line>
            </span>
          </ChoiceCard>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}

/** The top left of a symbol: a finder pattern and its surroundings. */
const CORNER: Crop = [3, 3, 13]
