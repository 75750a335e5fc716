import { schemaResolver, useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import { plans } from '#contract/billing/plans.ts'
import { codeForm } from '#contract/codes/codes.ts'
import { fieldsOf, lookOf } from '#contract/pictures/pictures.ts'
import type { Values } from '../../kept-form.ts'
import { DesignFields } from '../editor/design-fields.tsx'
import type { EditorForm } from '../editor/editor.ts'
import { Section } from '../editor/fields.tsx'
import { valuesOf } from '../editor/values.ts'
import { useOwner } from '../owner.ts'
import { useStyles } from '../styles/queries.ts'

/**
 * The form of codes that are made together, which may go on with values that were kept. It begins with the
 * style for new codes, as a new code does on the server, unless the user has chosen a look by then.
 */
export function useSeriesForm(kept?: Values): EditorForm {
  const form = useForm<Values>({
    initialValues: kept ?? valuesOf(undefined),
    validate: schemaResolver(codeForm, { sync: true }),
  })
  const { hasArtwork } = plans[useOwner().tier]
  const { data } = useStyles()
  const isBegun = useRef(kept !== undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the first answer, and nothing else
  useEffect(() => {
    if (!data || isBegun.current) return
    isBegun.current = true
    const style = data.find(({ isDefault }) => isDefault)
    if (!style) return
    const look = hasArtwork ? style.look : { ...style.look, artwork: null }
    const isChosen = Object.keys(look).some((field) => form.isDirty(field))
    if (isChosen) return
    form.setInitialValues({ ...form.getInitialValues(), ...look })
    form.setValues(look)
  }, [data])
  return form
}

/** The look and the tags of all of them; null if a typed colour cannot be used, which its field then says. */
export function sharedOf(form: EditorForm) {
  const { tags, ...values } = form.getValues()
  const colours = ['foregroundColor', 'backgroundColor']
  const isWrong = colours.some((field) => form.validateField(field).hasError)
  return isWrong ? null : { look: fieldsOf(lookOf(values)), tags }
}

/** The look that all codes of a series or of a file get. */
export function SeriesLook({ form }: { form: EditorForm }) {
  return (
    <Section title="Design" chosen={[]}>
      <DesignFields form={form} />
    </Section>
  )
}
