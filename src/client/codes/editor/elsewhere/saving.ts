import { useMutation } from '@tanstack/react-query'
import type { QrCode } from '#contract/codes.ts'
import { isRefusal } from '../../../api.ts'
import type { Values } from '../../../kept-form.ts'
import { announceSaved, makeCode, readCode, reportUnsaved, saveCode } from '../../queries.ts'
import { changeOf } from '../values.ts'
import { type Beginning, Dispute, saveTogether } from './three-ways.ts'

const reportUnlessShown = (error: unknown) =>
  isRefusal(error, 'artwork_not_in_plan') || reportUnsaved(error)

type Save = { code: QrCode; began: Beginning; values: Values }

const calls = {
  read: readCode,
  save: (code: QrCode, values: Values, version: number) =>
    saveCode(code.id, changeOf(values, code), version),
}

export function useSaveForm() {
  return useMutation({
    mutationFn: (save: Save) => saveTogether(calls, save),
    onSuccess: announceSaved,
    // The form itself shows a dispute, and a plan without artwork.
    onError: (error) => error instanceof Dispute || reportUnlessShown(error),
  })
}

/** Saves what was typed for a code that is gone as another one. */
export function useSaveAsNew() {
  return useMutation({ mutationFn: makeCode, onSuccess: announceSaved, onError: reportUnlessShown })
}
