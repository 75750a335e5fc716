import { SimpleGrid, Switch, Text, TextInput } from '@mantine/core'
import { utmParameters } from '#contract/analytics/figure-values.ts'
import { Quiet } from '../../ui/quiet.tsx'
import { type CampaignField, campaignOf, withCampaign } from './campaign-link.ts'
import type { EditorForm } from './editor.ts'
import { Section } from './fields.tsx'
import { fieldNames } from './values.ts'

const names: Record<CampaignField, { name: string; example: string }> = {
  utm_source: { name: 'Source', example: 'table-tent' },
  utm_medium: { name: 'Medium', example: 'print' },
  utm_campaign: { name: 'Campaign', example: 'spring-menu' },
  utm_term: { name: 'Term', example: 'lunch' },
  utm_content: { name: 'Content', example: 'front-page' },
}

/** Reads the campaign's parameters out of the destination and writes them into it. Nothing else keeps them. */
export function CampaignFields({ form }: { form: EditorForm }) {
  const { url, passQuery } = form.values
  const campaign = campaignOf(url)
  const hasLink = url.trim() !== ''
  const write = (field: CampaignField, value: string) =>
    form.setFieldValue('url', withCampaign(form.getValues().url, field, value))
  return (
    <Section
      title="Campaign parameters"
      chosen={[
        ...utmParameters.map((field) => campaign[field]).filter(Boolean),
        ...(passQuery ? ['Passed on'] : []),
      ]}
    >
      <Quiet>
        {hasLink
          ? 'They’re added to the destination, so your website’s analytics can tell where visitors come from. The printed code stays the same.'
          : 'Enter the destination first. These are added to it.'}
      </Quiet>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {utmParameters.map((field) => (
          <TextInput
            key={field}
            label={
              <>
                {names[field].name}{' '}
                <Text component="span" size="xs" c="dimmed">
                  {field}
                </Text>
              </>
            }
            placeholder={names[field].example}
            value={campaign[field]}
            disabled={!hasLink}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={({ currentTarget }) => write(field, currentTarget.value)}
            onBlur={({ currentTarget }) => write(field, currentTarget.value.trim())}
          />
        ))}
      </SimpleGrid>
      <Switch
        label={fieldNames.passQuery}
        description="Parameters you add to the printed link, such as ?table=7, are added to the destination. Its own parameters stay first."
        {...form.getInputProps('passQuery', { type: 'checkbox' })}
      />
    </Section>
  )
}
