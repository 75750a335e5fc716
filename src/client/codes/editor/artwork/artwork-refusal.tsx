import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { EditorForm } from '../editor.ts'
import { type ArtworkPlans, PLANS } from './see-plans.ts'

type Props = {
  /** How often a plan without artwork has refused to save it; 0 while it has not */
  refusals: number
  form: EditorForm
  seePlans: ArtworkPlans
}

/** The toast disappears. This stays until the artwork is taken off, and says both ways on. */
export function ArtworkRefusal({ refusals, form, seePlans }: Props) {
  const panel = useRef<HTMLDivElement>(null)
  const isShown = refusals > 0 && form.isDirty('artwork') && form.values.artwork !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal leads here
  useEffect(() => panel.current?.focus(), [refusals])
  if (!isShown) return null
  const takeOff = () => form.setFieldValue('artwork', form.getInitialValues().artwork)
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      mb="md"
      variant="outline"
      color="var(--accent-text)"
      role="group"
      title="Shapes, logos and frames come with every paid plan"
    >
      <Stack gap="sm" align="flex-start">
        <Text size="sm">
          This QR code has not been saved yet. Choose a plan, and we keep what you made here until
          you are back. Or take them off and save: colours and both styles are free.
        </Text>
        <Group gap="sm">
          <Button component={Link} href={PLANS} size="sm" onClick={seePlans}>
            See the plans
          </Button>
          <Button variant="default" size="sm" onClick={takeOff}>
            Take them off
          </Button>
        </Group>
      </Stack>
    </Alert>
  )
}
