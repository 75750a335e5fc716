import { Group, Text } from '@mantine/core'
import { Sparkles } from 'lucide-react'
import type { MouseEvent } from 'react'
import { plans } from '#contract/billing/plans.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { PlansButton, PlansLink } from '../../../ui/plans-link.tsx'
import { Note } from '../../note.tsx'
import { useOwner } from '../../owner.ts'
import { FormPanel } from '../form-panels.tsx'
import type { OpenForm } from '../open-form.ts'

/** For links to the plans out of a form. */
export type ArtworkPlans = (event: MouseEvent) => void

type NoteProps = { seePlans: ArtworkPlans; text?: string }

const TRY_HERE = 'Included in every paid plan. Try it here: the preview shows what you choose.'

/** Says from the start that artwork needs a plan, not only on saving. */
export function PlanNote({ seePlans, text = TRY_HERE }: NoteProps) {
  if (plans[useOwner().tier].hasArtwork) return null
  return (
    <Note icon={Sparkles}>
      {text} <PlansLink onClick={seePlans} />
    </Note>
  )
}

type Refusal = Pick<OpenForm, 'artworkRefusals' | 'form' | 'seePlans'>

/** The toast disappears. This stays until the artwork is taken off, and says both ways on. */
export function ArtworkRefusal({ artworkRefusals, form, seePlans }: Refusal) {
  if (artworkRefusals === 0 || !form.isDirty('artwork') || form.values.artwork === null) return null
  const takeOff = () => form.setFieldValue('artwork', form.getInitialValues().artwork)
  return (
    <FormPanel
      title="Shapes, logos, and frames come with every paid plan"
      color="var(--accent-text)"
      focusKey={artworkRefusals}
    >
      <Text size="sm">
        This QR code hasn’t been saved yet. Choose a plan, and we’ll keep your design until you’re
        back. Or remove these parts and save: colors and both styles are free.
      </Text>
      <Group gap="sm">
        <PlansButton onClick={seePlans}>See the plans</PlansButton>
        <PlainButton size="sm" onClick={takeOff}>
          Remove them
        </PlainButton>
      </Group>
    </FormPanel>
  )
}
