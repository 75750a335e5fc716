import { Radio, SimpleGrid, Switch, Text } from '@mantine/core'
import { DEFAULT_LOOK, type Ecc, eccLevels } from '#qr/symbol/look.ts'
import { Section } from './artwork/section.tsx'
import { ChoiceCard } from './choice-card.tsx'
import type { EditorForm } from './editor.ts'
import { compactText, type SymbolSizes, useSymbolSizes } from './symbol-sizes.ts'
import { fieldNames } from './values.ts'

type Props = { form: EditorForm; link: string }

/** Options that print shops ask for and few people change. */
export function PrintingOptions({ form, link }: Props) {
  const { ecc, compact } = form.values
  const chosen = [
    ...(ecc === DEFAULT_LOOK.ecc ? [] : [levelNames[ecc]]),
    ...(compact ? ['Compact'] : []),
  ]
  return (
    <Section title="Printing options" chosen={chosen}>
      <Options form={form} link={link} />
    </Section>
  )
}

function Options({ form, link }: Props) {
  const sizes = useSymbolSizes(link)
  const { ecc, compact } = form.values
  return (
    <>
      <ErrorCorrection {...form.getInputProps('ecc')} compact={compact} sizes={sizes} />
      <Switch
        label={fieldNames.compact}
        description={compactText(sizes?.[ecc])}
        {...form.getInputProps('compact', { type: 'checkbox' })}
      />
    </>
  )
}

export const levelNames: Record<Ecc, string> = {
  L: 'Low (7\u00a0%)',
  M: 'Medium (15\u00a0%)',
  Q: 'Quartile (25\u00a0%)',
  H: 'High (30\u00a0%)',
}

const HINT =
  'How much of the code’s data can be repaired. In one place, about 3, 5, 10 or 15\u00a0% of the picture may be dirty or covered. Higher levels make its squares smaller.'

type ErrorCorrectionProps = {
  value?: Ecc
  onChange?: (ecc: Ecc) => void
  compact: boolean
  sizes: SymbolSizes | undefined
}

/** The four levels, each with the size that this code would have. */
export function ErrorCorrection({ value, onChange, compact, sizes }: ErrorCorrectionProps) {
  const sizeOf = (ecc: Ecc) => sizes?.[ecc][compact ? 'compact' : 'plain']
  return (
    <Radio.Group
      label={fieldNames.ecc}
      description={HINT}
      value={value}
      onChange={(ecc) => onChange?.(ecc as Ecc)}
    >
      <SimpleGrid cols={2} spacing="xs" mt={8}>
        {eccLevels.map((ecc, index) => (
          <ChoiceCard key={ecc} value={ecc} chosen={value} isFirst={index === 0} p={8}>
            <span>
              <Text component="span" display="block" size="sm">
                {levelNames[ecc]}
              </Text>
              <Text component="span" display="block" size="xs" c="dimmed">
                {sizeOf(ecc) ? `${sizeOf(ecc)} modules wide` : '\u00a0'}
              </Text>
            </span>
          </ChoiceCard>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
