import { useEffect, useEffectEvent } from 'react'
import type { User } from '#contract/accounts.ts'
import type { QrCode } from '#contract/codes.ts'
import { plans } from '#contract/plans.ts'
import type { KeptForm } from '../../kept-form.ts'
import { forgetForm, keptText } from '../../kept-form.ts'
import { fetchPart } from '../../ui/late-part.ts'
import type { CodeDialogState, Reopening } from './dialog-state.ts'
import type { Values } from './editor.ts'
import type { keptFormOf } from './kept-form-reading.ts'

const UNSAVED = 'What you typed is here and has not been saved yet.'
const BEGUN = 'Here is the code that you began. It has not been saved yet.'
const goneText = (name: string) =>
  `“${name}” has been deleted meanwhile. What you typed is here as a new QR code.`

/**
 * What a kept form becomes. Of an edited code only what was typed is filled in, since the rest may
 * have changed elsewhere. Where the code has gone, all of it goes into a new one, but for its old
 * path, which no code gets again. A path that the plan no longer allows could not even be cleared.
 */
export function reopeningOf(
  { userId, code: edited, values, typed }: KeptForm,
  codes: readonly QrCode[],
  customPaths: boolean,
): Reopening {
  const code = codes.find(({ id }) => id === edited?.id) ?? null
  const gone = edited && !code
  const all = Object.keys(values) as (keyof Values)[]
  const filled = all.filter((field) => {
    if (field === 'vanityUrl' && !customPaths) return false
    return typed.includes(field) || (gone && field !== 'vanityUrl')
  })
  const kept = Object.fromEntries(filled.map((field) => [field, values[field]]))
  const unsaved = userId === null ? BEGUN : UNSAVED
  const notice = gone ? goneText(edited.name) : filled.length > 0 ? unsaved : null
  return { code, typed: kept, notice }
}

/**
 * Opens the form again that the end of the session, or a crash, had closed: a new code's at once, an
 * edited one's when the codes are listed. Where somebody has opened another meanwhile, it waits until
 * that closes.
 */
export function useReopening(
  user: User,
  codes: readonly QrCode[] | undefined,
  dialog: CodeDialogState,
): void {
  const { customPaths } = plans[user.subscriptionTier]
  const reopen = useEffectEvent((keptOf: typeof keptFormOf) => {
    const form = dialog.opened ? null : keptOf(user.id)
    if (!form || (form.code && !codes)) return
    forgetForm()
    dialog.reopen(reopeningOf(form, codes ?? [], customPaths))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: either may be what the form waits for
  useEffect(() => {
    if (keptText() === null) return
    // The schema that reads it is loaded only where there is something to read.
    void fetchPart(() => import('./kept-form-reading.ts')).then(
      (reading) => reading && reopen(reading.keptFormOf),
    )
  }, [codes, dialog.opened])
}
