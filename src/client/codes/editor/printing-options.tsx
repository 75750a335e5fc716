import { Accordion, Radio, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { DEFAULT_LOOK, type Ecc, eccLevels } from '#qr/symbol/look.ts'
import { ChoiceCard } from './choice-card.tsx'
import type { EditorForm } from './editor.ts'
import styles from './fields.module.css'
import type { SymbolSizes } from './symbol-sizes.ts'
import { compactText, useSymbolSizes } from './symbol-sizes.ts'
import { fieldNames } from './values.ts'

type Props = { form: EditorForm; link: string }

/** Options that print shops ask for and few people change: folded until somebody opens them. */
export function PrintingOptions({ form, link }: Props) {
  const [opened, setOpened] = useState<string | null>(null)
  const sizes = useSymbolSizes(link, opened !== null)
  const { ecc, compact } = form.values
  return (
    <Accordion
      variant="contained"
      value={opened}
      onChange={setOpened}
      classNames={{ item: styles.item, control: styles.control, label: styles.label }}
    >
      <Accordion.Item value="printing">
        <Accordion.Control>
          Printing options <Choices ecc={ecc} compact={compact} />
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <ErrorCorrection {...form.getInputProps('ecc')} compact={compact} sizes={sizes} />
            <Switch
              label={fieldNames.compact}
              description={compactText(sizes?.[ecc])}
              {...form.getInputProps('compact', { type: 'checkbox' })}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

/** The chosen options, so that nobody has to unfold them to see. */
function Choices({ ecc, compact }: Pick<EditorForm['values'], 'ecc' | 'compact'>) {
  const chosen = [ecc !== DEFAULT_LOOK.ecc && levelNames[ecc], compact && 'Compact'].filter(Boolean)
  return (
    <Text component="span" size="sm" c="dimmed" ml={4}>
      {chosen.join(', ')}
    </Text>
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
