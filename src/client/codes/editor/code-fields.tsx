import { Stack, Text, TextInput } from '@mantine/core'
import { type ChangeEvent, type FocusEvent, Fragment, type ReactNode } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { linkOrigin } from '#contract/links.ts'
import { plans } from '#contract/plans.ts'
import { takeCopy } from '../addresses.ts'
import { DomainField } from '../domain-field.tsx'
import { foldPath, hostOf } from '../links.ts'
import { useOwner } from '../owner.ts'
import { LastCheck } from '../prints/print-proofs.tsx'
import { MyStyles } from '../styles/my-styles.tsx'
import { TagsField } from '../tags/tags-field.tsx'
import { FrameSection } from './artwork/frame-section.tsx'
import { LogoSection } from './artwork/logo-section.tsx'
import { MoreShapes } from './artwork/more-shapes.tsx'
import type { ArtworkPlans } from './artwork/plan-note.tsx'
import { CampaignFields } from './campaign-fields.tsx'
import { ColourFields, ColourPresets } from './colours.tsx'
import type { EditorForm } from './editor.ts'
import fieldStyles from './fields.module.css'
import { Fold, Section } from './fields.tsx'
import type { FileSizes } from './printing/file-sizes.tsx'
import { PrintingOptions } from './printing/printing-options.tsx'
import { useStacked } from './stacked.ts'
import { StyleChooser } from './style-chooser.tsx'
import { fieldNames } from './values.ts'

type FirstProps = {
  form: EditorForm
  /** Puts the https:// before a destination that was typed without it. */
  onLinkTyped: () => void
  /** Whether the first field has the focus when the dialog opens. */
  takesFocus: boolean
}

/** Every code needs these two. */
export function FirstFields({ form, onLinkTyped, takesFocus }: FirstProps) {
  const name = form.getInputProps('name')
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
    </Stack>
  )
}

type Props = {
  form: EditorForm
  /** The link in the picture, with the form's current values. */
  link: string
  /** On the way to the plans the form is kept. */
  seePlans: ArtworkPlans
  /** Performance Stats of an existing code */
  stats: ReactNode
  saved: QrCode | undefined
  sizes: FileSizes
}

/** The design, and what fewer people change. On a phone all but the design is behind headings. */
export function OtherFields(props: Props) {
  const { form, link, seePlans, stats, saved, sizes } = props
  const { tier, hostUrl } = useOwner()
  const isStacked = useStacked()
  const { domain, vanityUrl, tags } = form.values
  const artworkProps = { form, seePlans }
  const place = (
    <Fragment key="place">
      <Fold
        title="Custom URL"
        chosen={vanityUrl ? [vanityUrl] : []}
        hasError={form.errors.vanityUrl !== undefined || form.errors.domain !== undefined}
      >
        <DomainField
          label={fieldNames.domain}
          description="Codes that you’ve printed keep working on every domain that they had."
          {...form.getInputProps('domain')}
        />
        <CustomPathField
          allowed={plans[tier].customPaths}
          hostUrl={linkOrigin(domain || null, hostUrl)}
          {...form.getInputProps('vanityUrl')}
        />
      </Fold>
      <CampaignFields form={form} />
      <Fold title={fieldNames.tags} chosen={tags} hasError={form.errors.tags !== undefined}>
        <TagsField {...form.getInputProps('tags')} />
      </Fold>
    </Fragment>
  )
  const figures = stats && (
    <Fold key="stats" title="Scans so far" chosen={[]}>
      {stats}
    </Fold>
  )
  const design = (
    <Fragment key="design">
      <StyleChooser form={form} />
      <ColourPresets form={form} />
      <MyStyles form={form} />
      <ColourFields form={form} />
    </Fragment>
  )
  return (
    <Stack miw={0}>
      {isStacked ? [design, figures, place] : [place, figures, design]}
      <MoreShapes {...artworkProps} />
      <LogoSection {...artworkProps} link={link} />
      <FrameSection {...artworkProps} />
      <PrintingOptions form={form} link={link} sizes={saved && sizes} />
      {isStacked && saved && (
        <Section title="After printing" chosen={[]}>
          <LastCheck code={saved} />
        </Section>
      )}
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
function CustomPathField({ allowed, hostUrl, onChange, ...input }: CustomPathProps) {
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
