import { useMutation } from '@tanstack/react-query'
import type { QrCode } from '#contract/codes.ts'
import { isRefusal } from '../../api.ts'
import type { Values } from '../../kept-form.ts'
import { announceSaved, makeCode, readCode, reportUnsaved, saveCode } from '../queries.ts'
import { changeOf, differingFields, valuesOf } from './values.ts'

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

export function useSaveForm() {
  return useMutation({
    mutationFn: saveForm,
    onSuccess: (outcome) => ('saved' in outcome ? announceSaved(outcome.saved) : undefined),
    onError: reportUnlessShown,
  })
}

/** Saves what was typed for a code that is gone as another one. */
export function useSaveAsNew() {
  return useMutation({ mutationFn: makeCode, onSuccess: announceSaved, onError: reportUnlessShown })
}
