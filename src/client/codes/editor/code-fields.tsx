import { Box, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { plans } from '#contract/billing/plans.ts'
import { linkOrigin } from '#contract/links.ts'
import { useStacked } from '../../ui/columns.tsx'
import { takeCopy } from '../addresses.ts'
import { DomainField } from '../domain-field.tsx'
import { foldPath, hostOf } from '../links.ts'
import { useOwner } from '../owner.ts'
import { LastCheck } from '../prints/print-proofs.tsx'
import { TagsField } from '../tags/tags-field.tsx'
import { FrameSection } from './artwork/frame-section.tsx'
import { LogoSection } from './artwork/logo-section.tsx'
import { MoreShapes } from './artwork/more-shapes.tsx'
import { CampaignFields } from './campaign-fields.tsx'
import { DesignFields } from './design-fields.tsx'
import { Fold, Section } from './fields.tsx'
import type { OpenForm } from './open-form.ts'
import { PrintingOptions } from './printing/printing-options.tsx'
import { fieldNames } from './values.ts'

/** `takesFocus`: the first field has the focus when the dialog opens. */
type FirstProps = { takesFocus: boolean }

/** Every code needs these two. */
export function FirstFields({ form, completeLink, takesFocus }: OpenForm & FirstProps) {
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
        onBlur={completeLink}
      />
    </Stack>
  )
}

/** The design, and what fewer people change. On a phone all but the design is behind headings. */
export function OtherFields(open: OpenForm & { stats: ReactNode }) {
  const { form, link, stats, saved, sizes } = open
  const { tier, hostUrl } = useOwner()
  const isStacked = useStacked()
  const { domain, vanityUrl, tags } = form.values
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
  const design = <DesignFields key="design" form={form} />
  return (
    <Stack miw={0}>
      {isStacked ? [design, figures, place] : [place, figures, design]}
      <MoreShapes {...open} />
      <LogoSection {...open} />
      <FrameSection {...open} />
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

type CustomPathProps = Omit<TextInputProps, 'onChange'> & {
  allowed: boolean
  hostUrl: string
  onChange?: (value: string) => void
}

/** The path after /qr/. On a plan without custom paths the field is disabled and says why. */
function CustomPathField({ allowed, hostUrl, onChange, ...input }: CustomPathProps) {
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
              Available for Professional and Unlimited subscribers
            </Text>
            Upgrade to Professional or Unlimited to use custom URLs.
          </>
        )
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      disabled={!allowed}
      onChange={({ target }) => onChange?.(foldPath(target.value))}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      inputContainer={(field) => (
        <Group gap={0} mb={5} wrap="nowrap" align="stretch">
          <Box
            component="span"
            px={10}
            maw="60%"
            fz="sm"
            c="dimmed"
            bg="var(--tint)"
            style={PREFIX}
          >
            {hostOf(hostUrl)}/qr/
          </Box>
          <Box flex={1} miw={0}>
            {field}
          </Box>
        </Group>
      )}
      styles={AFTER_PREFIX}
    />
  )
}

const PREFIX = {
  overflow: 'hidden',
  alignContent: 'center',
  border: '1px solid var(--mantine-color-default-border)',
  borderRight: 0,
  borderRadius: 'var(--mantine-radius-default) 0 0 var(--mantine-radius-default)',
  whiteSpace: 'nowrap',
} as const
const AFTER_PREFIX = {
  wrapper: { margin: 0 },
  input: { borderStartStartRadius: 0, borderEndStartRadius: 0 },
}
