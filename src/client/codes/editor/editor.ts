import { schemaResolver, type UseFormReturnType, useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { codeForm, type QrCode } from '#contract/codes/codes.ts'
import { completed } from '#contract/links.ts'
import { isRefusal } from '../../api.ts'
import type { Values } from '../../kept-form.ts'
import { type FieldOf, showFieldErrors } from '../../ui/field-errors.ts'
import { focusFirstError } from '../../ui/focus.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { announceSaved, makeCode, readCode, reportUnsaved, saveCode } from '../queries.ts'
import type { CodeDialogState } from './dialog-state.ts'
import { changeOf, checkedValues, differingFields, valuesOf } from './values.ts'

/** Refusals that belong to one field. */
export const codeFields: FieldOf = {
  custom_path_taken: 'vanityUrl',
  custom_path_not_in_plan: 'vanityUrl',
  former_paths_full: 'vanityUrl',
}

const fieldErrors = schemaResolver(codeForm, { sync: true })

/** The form of one opening, and its saving. */
export function useEditor(
  { code: opened, typed, version }: Pick<CodeDialogState, 'code' | 'typed' | 'version'>,
  onDone: (saved: QrCode) => void,
  /** Called instead of saving */
  onDemoSave?: (form: EditorForm) => void,
) {
  const save = useMutation({
    mutationFn: (call: () => Promise<Outcome>) => call(),
    onSuccess: (outcome) => ('saved' in outcome ? announceSaved(outcome.saved) : undefined),
    onError: reportUnlessShown,
  })
  /** The newer version that a save has met, and how often a save led to the question; 0 once it is answered */
  const [newer, setNewer] = useState<QrCode>()
  const [attempts, setAttempts] = useState(0)
  const [isGone, setGone] = useState(false)
  const [artworkRefusals, setArtworkRefusals] = useState(0)
  const code = newer ?? opened
  const form = useForm<Values>({
    initialValues: valuesOf(opened),
    validate: (values) => fieldErrors(checkedValues(values, code)),
  })
  const kept = useRef(typed)
  const knownVersion = newer?.version ?? version ?? opened?.version ?? 0

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is filled once, when the draft comes
  useEffect(() => {
    const filled = valuesOf(opened)
    const changed = Object.entries(form.getValues()).filter(([field]) => form.isDirty(field))
    form.setInitialValues(filled)
    form.setValues({ ...filled, ...Object.fromEntries(changed), ...kept.current })
    kept.current = {}
  }, [opened?.id])

  const completeLink = () => {
    const { url } = form.getValues()
    if (completed(url) !== url) form.setFieldValue('url', completed)
  }

  const onOutcome = (outcome: Outcome) => {
    if ('saved' in outcome) return onDone(outcome.saved)
    form.setInitialValues(valuesOf(outcome.newer))
    setNewer(outcome.newer)
    setAttempts((count) => count + 1)
  }
  const onError = (error: unknown) => {
    setAttempts(0)
    if (isRefusal(error, 'code_not_found')) setGone(true)
    // A panel says it, above the form.
    if (isRefusal(error, 'artwork_not_in_plan')) return setArtworkRefusals((count) => count + 1)
    showFieldErrors(form, error, codeFields)
  }

  const send = form.onSubmit((values) => {
    if (!code || isGone) return toast.error('No QR code to save')
    if (onDemoSave) return onDemoSave(form)
    if (save.isPending) return
    const asked = { code, version: knownVersion, values }
    save.mutate(() => saveForm(asked), { onSuccess: onOutcome, onError })
  }, focusFirstError(form))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    completeLink()
    if (attempts === 0) return send(event)
    event.preventDefault()
    setAttempts(attempts + 1)
  }
  const takeTheirs = () => {
    setAttempts(0)
    form.setValues(valuesOf(newer))
  }

  /** Saves what was typed for a code that is gone as another one. The path of a deleted code is taken for ever, also for the same account. */
  const makeNew = form.onSubmit((values) => {
    if (!code || save.isPending) return
    const path = values.vanityUrl === code.vanityUrl ? '' : values.vanityUrl
    const change = changeOf({ ...values, vanityUrl: path }, { vanityUrl: null })
    save.mutate(async () => ({ saved: await makeCode(change) }), { onSuccess: onOutcome, onError })
  }, focusFirstError(form))

  return {
    form,
    code,
    /** The version of the code that the form knows */
    version: knownVersion,
    submit,
    completeLink,
    saving: save.isPending,
    /** The code was changed elsewhere, and what to keep is not decided. */
    conflict: newer && attempts > 0 ? { newer, attempts } : null,
    keepMine: () => send(),
    takeTheirs,
    /** The code was deleted elsewhere. */
    isGone,
    /** How often the plan has refused the artwork. */
    artworkRefusals,
    makeNew: () => makeNew(),
  }
}
export type EditorForm = UseFormReturnType<Values>

type Save = {
  code: QrCode
  /** The version of the code that the form knows */
  version: number
  values: Values
}

/** A code that was saved, or the newer version of it that the save has met. */
export type Outcome = { saved: QrCode } | { newer: QrCode }

/** Saves a form, unless the code was changed elsewhere and is not as the form would have it. */
export async function saveForm({ code, version, values }: Save): Promise<Outcome> {
  try {
    return { saved: await saveCode(code.id, changeOf(values, code), version) }
  } catch (error) {
    if (!isRefusal(error, 'changed_elsewhere')) throw error
  }
  const newer = await readCode(code.id)
  // An earlier save may have arrived, and its answer not.
  const isSame = differingFields(values, valuesOf(newer)).length === 0
  return isSame ? { saved: newer } : { newer }
}

/** The form itself shows a plan without artwork. */
const reportUnlessShown = (error: unknown) =>
  isRefusal(error, 'artwork_not_in_plan') || reportUnsaved(error)
