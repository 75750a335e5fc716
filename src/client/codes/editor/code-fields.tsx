import { TextInput } from '@mantine/core'
import { plans, type Tier } from '#contract/plans.ts'
import styles from './code-form.module.css'
import { ColourFields } from './colour-fields.tsx'
import { ColourPresets } from './colour-presets.tsx'
import { CustomPathField } from './custom-path-field.tsx'
import type { EditorForm } from './editor.ts'
import { PrintingOptions } from './printing-options.tsx'
import { StyleChooser } from './style-chooser.tsx'

/** `link` is what the picture says as the form stands. */
type Props = { form: EditorForm; tier: Tier; hostUrl: string; link: string }

/** All that can be typed or chosen for a code. */
export function CodeFields({ form, tier, hostUrl, link }: Props) {
  return (
    <div className={styles.fields}>
      <TextInput
        label="QR Code Name"
        placeholder="My Website QR Code"
        withAsterisk
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="Destination URL"
        placeholder="https://example.com"
        type="url"
        inputMode="url"
        withAsterisk
        {...form.getInputProps('url')}
      />
      <CustomPathField
        allowed={plans[tier].customPaths}
        hostUrl={hostUrl}
        {...form.getInputProps('vanityUrl')}
      />
      <StyleChooser {...form.getInputProps('style')} />
      <ColourPresets form={form} />
      <ColourFields form={form} />
      <PrintingOptions form={form} link={link} />
    </div>
  )
}
