import { Section } from '../editor/artwork/section.tsx'
import { ColourFields, ColourPresets } from '../editor/colours.tsx'
import type { EditorForm } from '../editor/editor.ts'
import { MyStyles } from '../editor/my-styles/my-styles.tsx'
import { StyleChooser } from '../editor/style-chooser.tsx'

/** The look that all codes of a series or of a file get. */
export function SeriesLook({ form }: { form: EditorForm }) {
  return (
    <Section title="Style and colours" chosen={[]}>
      <StyleChooser {...form.getInputProps('style')} />
      <ColourPresets form={form} />
      <MyStyles form={form} />
      <ColourFields form={form} />
    </Section>
  )
}
