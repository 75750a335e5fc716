import { schemaResolver, useForm } from '@mantine/form'
import { useEffect, useRef } from 'react'
import { type CodeChange, type CodeForm, codeForm, type QrCode } from '#contract/codes.ts'
import { fieldsOf, lookOf } from '#contract/pictures.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { ApiError } from '../../api.ts'
import { focusFirstError } from '../../ui/focus.ts'
import { toast } from '../../ui/toast.tsx'
import { useSaveCode } from '../queries.ts'

/** The form's values, with no field left out. */
export type Values = { [Field in keyof Required<CodeForm>]: NonNullable<CodeForm[Field]> }

const empty: Values = {
  name: '',
  url: '',
  vanityUrl: '',
  ...fieldsOf(DEFAULT_LOOK),
}

export function valuesOf(code: QrCode | undefined): Values {
  if (!code) return empty
  const { name, url, vanityUrl } = code
  return { name, url, vanityUrl: vanityUrl ?? '', ...fieldsOf(lookOf(code)) }
}

/** An untouched custom path is left out, so that a plan without custom paths can save the rest. */
export function changeOf(values: Values, code: QrCode): CodeChange {
  const { vanityUrl, ...rest } = codeForm.parse(values)
  return (vanityUrl ?? null) === code.vanityUrl ? rest : { ...rest, vanityUrl }
}

/** The errors to show at fields, if the server's refusal belongs to some. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {}
  const pathCodes = ['custom_path_taken', 'custom_path_not_in_plan', 'former_paths_full']
  if (error.code && pathCodes.includes(error.code)) {
    return { vanityUrl: error.serverMessage ?? '' }
  }
  return error.fields
}

/**
 * The form of one opening, and its saving. `code` is missing until the draft arrives. `typed` are
 * unsaved values that a reopened form begins with.
 */
export function useEditor(code: QrCode | undefined, typed: Partial<Values>, onDone: () => void) {
  const save = useSaveCode()
  const form = useForm<Values>({
    initialValues: valuesOf(code),
    validate: schemaResolver(codeForm, { sync: true }),
  })
  const kept = useRef(typed)

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is filled once, when the draft comes
  useEffect(() => {
    const filled = valuesOf(code)
    const changed = Object.entries(form.getValues()).filter(([field]) => form.isDirty(field))
    form.setInitialValues(filled)
    form.setValues({ ...filled, ...Object.fromEntries(changed), ...kept.current })
    kept.current = {}
  }, [code?.id])

  const submit = form.onSubmit((values) => {
    if (!code) return toast.error('No QR code to save')
    if (save.isPending) return
    const onError = (error: unknown) => {
      const errors = fieldErrorsOf(error)
      form.setErrors(errors)
      focusFirstError(form)(errors)
    }
    save.mutate({ id: code.id, change: changeOf(values, code) }, { onSuccess: onDone, onError })
  }, focusFirstError(form))

  return { form, submit, saving: save.isPending }
}
export type EditorForm = ReturnType<typeof useEditor>['form']
