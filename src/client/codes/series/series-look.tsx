import { Accordion, Stack } from '@mantine/core'
import { ColourFields, ColourPresets } from '../editor/colours.tsx'
import type { EditorForm } from '../editor/editor.ts'
import fieldStyles from '../editor/fields.module.css'
import { MyStyles } from '../editor/my-styles/my-styles.tsx'
import { StyleChooser } from '../editor/style-chooser.tsx'

/** The look that all codes of a series or of a file get. */
export function SeriesLook({ form }: { form: EditorForm }) {
  return (
    <Accordion
      variant="contained"
      classNames={{
        item: fieldStyles.item,
        control: fieldStyles.control,
        label: fieldStyles.label,
      }}
    >
      <Accordion.Item value="look">
        <Accordion.Control>Style and colours</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <StyleChooser {...form.getInputProps('style')} />
            <ColourPresets form={form} />
            <MyStyles form={form} />
            <ColourFields form={form} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}
