import { Stack, Text, TextInput } from '@mantine/core'
import type { ChangeEvent, FocusEvent, ReactNode } from 'react'
import { plans, type Tier } from '#contract/plans.ts'
import { takeCopy } from '../addresses.ts'
import { foldPath, hostOf } from '../links.ts'
import { MyStyles } from '../styles/my-styles.tsx'
import { TagsField } from '../tags/tags-field.tsx'
import { artworkOf, NO_SHAPES } from './artwork/artwork-form.ts'
import { FrameSection } from './artwork/frame-section.tsx'
import { LogoSection } from './artwork/logo-section.tsx'
import { MoreShapes } from './artwork/more-shapes.tsx'
import type { ArtworkPlans } from './artwork/plan-note.tsx'
import { CampaignFields } from './campaign-fields.tsx'
import { ColourFields, ColourPresets } from './colours.tsx'
import type { EditorForm } from './editor.ts'
import fieldStyles from './fields.module.css'
import { PrintingOptions } from './printing-options.tsx'
import { StyleChooser } from './style-chooser.tsx'
import { fieldNames } from './values.ts'

type Props = {
  form: EditorForm
  tier: Tier
  hostUrl: string
  /** The link in the picture, with the form's current values. */
  link: string
  /** On the way to the plans the form is kept. */
  seePlans: ArtworkPlans
  /** Puts the https:// before a destination that was typed without it. */
  onLinkTyped: () => void
  /** Whether the first field has the focus when the dialog opens. */
  takesFocus: boolean
}

/** All fields of a code. */
export function CodeFields({
  form,
  tier,
  hostUrl,
  link,
  seePlans,
  onLinkTyped,
  takesFocus,
}: Props) {
  const name = form.getInputProps('name')
  const { change } = artworkOf(form)
  const artworkProps = { form, tier, seePlans }
  return (
    <Stack miw={0}>
      <TextInput
        label={fieldNames.name}
        placeholder="My Website QR Code"
        withAsterisk
        data-autofocus={takesFocus || undefined}
        {...name}
        onFocus={(event) => {
          name.onFocus?.(event)
          if (takeCopy()) event.currentTarget.select()
        }}
      />
      <TextInput
        label={fieldNames.url}
        placeholder="https://example.com"
        type="url"
        inputMode="url"
        withAsterisk
        {...form.getInputProps('url')}
        onBlur={onLinkTyped}
      />
      <CampaignFields form={form} />
      <CustomPathField
        allowed={plans[tier].customPaths}
        hostUrl={hostUrl}
        {...form.getInputProps('vanityUrl')}
      />
      <TagsField {...form.getInputProps('tags')} />
      <StyleChooser
        {...form.getInputProps('style')}
        onChange={(style) => change(NO_SHAPES, { style })}
      />
      <MoreShapes {...artworkProps} />
      <ColourPresets form={form} />
      <MyStyles form={form} />
      <ColourFields form={form} />
      <LogoSection {...artworkProps} link={link} />
      <FrameSection {...artworkProps} />
      <PrintingOptions form={form} link={link} />
    </Stack>
  )
}

const HINT =
  'Leave empty to use auto-generated code. Only letters, numbers, hyphens, and underscores.'
const NOTE = 'Available for Professional and Unlimited subscribers'
const UPGRADE_HINT = 'Upgrade to Professional or Unlimited to use custom URLs.'

type CustomPathProps = {
  allowed: boolean
  hostUrl: string
  value?: string
  error?: ReactNode
  onChange?: (value: string) => void
  onFocus?: (event: FocusEvent) => void
  onBlur?: (event: FocusEvent) => void
}

/** The path after /qr/. On a plan without custom paths the field is disabled and says why. */
export function CustomPathField({ allowed, hostUrl, onChange, ...input }: CustomPathProps) {
  const fold = (event: ChangeEvent<HTMLInputElement>) => onChange?.(foldPath(event.target.value))
  return (
    <TextInput
      {...input}
      label={fieldNames.vanityUrl}
      description={
        allowed ? (
          HINT
        ) : (
          <>
            <Text component="span" inherit display="block" fw={600}>
              {NOTE}
            </Text>
            {UPGRADE_HINT}
          </>
        )
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      disabled={!allowed}
      onChange={fold}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      inputContainer={(field) => (
        <div className={fieldStyles.joined}>
          <span className={fieldStyles.prefix}>{hostOf(hostUrl)}/qr/</span>
          <div className={fieldStyles.field}>{field}</div>
        </div>
      )}
      classNames={{ input: fieldStyles.input }}
    />
  )
}
