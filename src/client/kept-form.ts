import type { CodeForm } from '#contract/codes.ts'

type Values = { [Field in keyof Required<CodeForm>]: NonNullable<CodeForm[Field]> }

/** A form that was open when the session ended or that crashed, or a code begun before there was an account. */
export type KeptForm = {
  /** Whose it is: nobody else who signs in on this tab sees it. Null: the first to sign in. */
  userId: string | null
  /** When it was put away, in epoch milliseconds. */
  at: number
  /** The edited code; null for a new one. */
  code: { id: string; name: string } | null
  values: Values
  /** The fields that differed from the code's own. */
  typed: (keyof Values)[]
}

const KEY = 'kept-form'

/** Whether it was put by here, by a page that is still there; else an earlier page has left it. */
let isOfThisPage = false

/** A tab that may store nothing loses what was typed, as it would have anyway. */
export function keepForm(form: KeptForm): void {
  isOfThisPage = true
  try {
    sessionStorage.setItem(KEY, JSON.stringify(form))
  } catch {}
}

export function forgetForm(): void {
  try {
    sessionStorage.removeItem(KEY)
  } catch {}
}

/** Forgets what was begun before there was an account; a form that waits for its owner stays. */
export function forgetUnowned(): void {
  if (/"userId":null/.test(keptText() ?? '')) forgetForm()
}

/** A form that was put by and then not left has closed. What an earlier page left waits on. */
export function forgetClosedForm(): void {
  if (isOfThisPage) forgetForm()
}

/** What this tab keeps, as it was stored; null where it keeps nothing. */
export function keptText(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
