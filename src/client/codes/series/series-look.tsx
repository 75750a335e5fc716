import { useEffect, useRef } from 'react'
import { plans } from '#contract/plans.ts'
import { DesignFields } from '../editor/design-fields.tsx'
import type { EditorForm } from '../editor/editor.ts'
import { Section } from '../editor/fields.tsx'
import { useOwner } from '../owner.ts'
import { useStyles } from '../styles/queries.ts'

/**
 * A new series begins with the style for new codes, as a new code does on the server, unless the user
 * has chosen a look by then. `isKept`: it goes on with a form that was kept.
 */
export function useBeginningLook(form: EditorForm, isKept = false): void {
  const { hasArtwork } = plans[useOwner().tier]
  const { data } = useStyles()
  const isBegun = useRef(isKept)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the first answer, and nothing else
  useEffect(() => {
    if (!data || isBegun.current) return
    isBegun.current = true
    const kept = data.find(({ isDefault }) => isDefault)
    if (!kept) return
    const look = hasArtwork ? kept.look : { ...kept.look, artwork: null }
    const isChosen = Object.keys(look).some((field) => form.isDirty(field))
    if (isChosen) return
    form.setInitialValues({ ...form.getInitialValues(), ...look })
    form.setValues(look)
  }, [data])
}

/** Checks the typed colours and shows the first error. Returns whether both can be used. */
export const hasColours = (form: EditorForm) =>
  !['foregroundColor', 'backgroundColor'].some((field) => form.validateField(field).hasError)

/** The look that all codes of a series or of a file get. */
export function SeriesLook({ form }: { form: EditorForm }) {
  return (
    <Section title="Design" chosen={[]}>
      <DesignFields form={form} />
    </Section>
  )
}
