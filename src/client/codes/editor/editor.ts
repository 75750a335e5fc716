import { schemaResolver, useForm } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { codeForm, type QrCode } from '#contract/codes.ts'
import { completed } from '#contract/links.ts'
import { ApiError, isRefusal } from '../../api.ts'
import type { Values } from '../../kept-form.ts'
import { focusFirstError } from '../../ui/focus.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { useSaveAsNew, useSaveForm } from './elsewhere/saving.ts'
import { type Beginning, beginningOf, Dispute } from './elsewhere/three-ways.ts'
import { changeOf, type Field, valuesOf } from './values.ts'

/** The errors to show at fields, if the server's refusal belongs to some. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const pathCodes = ['custom_path_taken', 'custom_path_not_in_plan', 'former_paths_full']
  if (error.code && pathCodes.includes(error.code)) {
    return { vanityUrl: error.serverMessage ?? '' }
  }
  return error.fields
}

type Opened = {
  /** The code to edit; for a new one its draft, which is missing until it arrives. */
  code: QrCode | undefined
  /** Unsaved values that a reopened form begins with. */
  typed: Partial<Values>
  /** What the code was when these were typed. */
  began: Beginning | null
}

/** The form of one opening, and its saving. */
export function useEditor({ code: opened, typed, began }: Opened, onDone: (saved: QrCode) => void) {
  const save = useSaveForm()
  const saveAsNew = useSaveAsNew()
  const [dispute, setDispute] = useState<Dispute | null>(null)
  const questions = useQuestions(dispute)
  const [isGone, setGone] = useState(false)
  const [artworkRefusals, setArtworkRefusals] = useState(0)
  const form = useForm<Values>({
    initialValues: valuesOf(opened),
    validate: schemaResolver(codeForm, { sync: true }),
    validateInputOnBlur: ['foregroundColor', 'backgroundColor'],
  })
  const kept = useRef(typed)
  const code = dispute?.theirs ?? opened

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

  const onError = (error: unknown) => {
    if (error instanceof Dispute) {
      form.setInitialValues(valuesOf(error.theirs))
      form.setValues(error.merged.values)
      setDispute(error)
      return
    }
    if (isRefusal(error, 'code_not_found')) setGone(true)
    // A panel says it, above the form.
    if (isRefusal(error, 'artwork_not_in_plan')) return setArtworkRefusals((count) => count + 1)
    const errors = fieldErrorsOf(error)
    form.setErrors(errors)
    focusFirstError(form)(errors)
  }

  const send = form.onSubmit((values) => {
    if (!code || isGone) return toast.error('No QR code to save')
    if (save.isPending || !questions.areAnswered()) return
    const known = dispute ? beginningOf(code) : (began ?? beginningOf(code))
    save.mutate({ code, began: known, values }, { onSuccess: onDone, onError })
  }, focusFirstError(form))
  const submit = (event: FormEvent<HTMLFormElement>) => {
    completeLink()
    send(event)
  }

  /** Nobody can have the path of a code that is gone, not even a new one of the same account. */
  const makeNew = form.onSubmit((values) => {
    if (!code || saveAsNew.isPending) return
    const path = values.vanityUrl === code.vanityUrl ? '' : values.vanityUrl
    const change = changeOf({ ...values, vanityUrl: path }, { vanityUrl: null })
    saveAsNew.mutate(change, { onSuccess: onDone, onError })
  }, focusFirstError(form))

  return {
    form,
    code,
    /** As what a form that is kept began. */
    began: began ?? (opened ? beginningOf(opened) : null),
    submit,
    completeLink,
    saving: save.isPending || saveAsNew.isPending,
    dispute: dispute && { ...dispute.merged, theirs: dispute.theirs, questions },
    /** The code was deleted elsewhere. */
    isGone,
    /** How often the plan has refused the artwork. */
    artworkRefusals,
    makeNew: () => makeNew(),
  }
}
export type EditorForm = ReturnType<typeof useEditor>['form']

/** Which disputed fields have been decided. A new dispute begins with none. */
function useQuestions(dispute: Dispute | null) {
  const [answered, setAnswered] = useState<{ of: Dispute | null; fields: readonly Field[] }>({
    ...{ of: null, fields: [] },
  })
  const [reminders, setReminders] = useState(0)
  const fields = answered.of === dispute ? answered.fields : []
  const open = dispute?.merged.disputed.filter((field) => !fields.includes(field)) ?? []
  return {
    open,
    /** How often somebody wanted to save before all was decided. */
    reminders,
    answer: (field: Field) => setAnswered({ of: dispute, fields: [...fields, field] }),
    areAnswered: () => {
      if (open.length > 0) setReminders((count) => count + 1)
      return open.length === 0
    },
  }
}
