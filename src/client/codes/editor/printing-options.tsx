import { Accordion, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import type { EditorForm } from './editor.ts'
import { ErrorCorrection, levelNames } from './error-correction.tsx'
import styles from './printing-options.module.css'
import { compactText, useSymbolSizes } from './symbol-sizes.ts'

type Props = { form: EditorForm; link: string }

/** What hardly anybody changes, and printers ask for: out of the way until it is opened. */
export function PrintingOptions({ form, link }: Props) {
  const [opened, setOpened] = useState<string | null>(null)
  const sizes = useSymbolSizes(link, opened !== null)
  const { ecc, compact } = form.values
  return (
    <Accordion variant="contained" value={opened} onChange={setOpened} classNames={styles}>
      <Accordion.Item value="printing">
        <Accordion.Control>
          Printing options <Choices ecc={ecc} compact={compact} />
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="md">
            <ErrorCorrection {...form.getInputProps('ecc')} compact={compact} sizes={sizes} />
            <Switch
              label="Compact code"
              description={compactText(sizes?.[ecc])}
              {...form.getInputProps('compact', { type: 'checkbox' })}
            />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

/** What has been chosen, so that nobody has to open the options to see it. */
function Choices({ ecc, compact }: Pick<EditorForm['values'], 'ecc' | 'compact'>) {
  const chosen = [ecc !== DEFAULT_LOOK.ecc && levelNames[ecc], compact && 'Compact'].filter(Boolean)
  return (
    <Text component="span" size="sm" c="dimmed" ml={4}>
      {chosen.join(', ')}
    </Text>
  )
}
