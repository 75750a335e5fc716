import { Text } from '@mantine/core'
import { styles as allStyles, DEFAULT_LOOK, type Style } from '#qr/symbol/look.ts'
import { type Crop, StyleSample } from '../styles/style-sample.tsx'
import { artworkOf, hasOwnShapes, NO_SHAPES } from './artwork/artwork-form.ts'
import { CardText, Choices } from './choices.tsx'
import type { EditorForm } from './editor.ts'
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
  return (
    <Choices
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
      items={allStyles}
      chosen={isCustom ? undefined : form.values.style}
      onChange={(style) => change(NO_SHAPES, { style })}
      grid={{ cols: 2, spacing: 'xs' }}
      card={() => ({ p: 'sm' })}
    >
      {(style) => (
        <>
          <StyleSample look={{ ...DEFAULT_LOOK, style, ecc: 'L' }} crop={CORNER} />
          <CardText name={styleNames[style]} line={descriptions[style]} />
        </>
      )}
    </Choices>
  )
}

/** The top left of a symbol: a finder pattern and its surroundings. */
const CORNER: Crop = [3, 3, 13]
