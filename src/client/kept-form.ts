import type { CodeForm } from '#contract/codes/codes.ts'
import type { Artwork } from '#qr/artwork/artwork.ts'

/** The form's values, with no field left out. */
export type Values = Required<{
  [Field in keyof Plain]: NonNullable<Plain[Field]>
}> & { artwork: Artwork | null }
type Plain = Omit<CodeForm, 'artwork'>

/** The form that was open when the session ended, or a code begun before there was an account. */
export type KeptForm = {
  /**
   * The owner, as ownerHere names them: others in this tab, and other workspaces, do not see the form.
   * Null: the first to sign in owns it.
   */
  userId: string | null
  /** When it was kept, in epoch milliseconds. */
  at: number
  /** The edited code in the version that the form knew; null for a new one. */
  code: { id: string; name: string; version: number } | null
  values: Values
  /** The fields that differed from the code's own. */
  typed: (keyof Values)[]
}

const KEY = 'kept-form'
/** Where the form of a series is kept. */
export const SERIES = 'kept-series'

/** A tab that may store nothing loses what was typed. */
export function keep(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text)
  } catch {}
}

export const keepForm = (form: KeptForm) => keep(KEY, JSON.stringify(form))
export const keepSeries = (form: object) => keep(SERIES, JSON.stringify(form))

export function forgetForm(key: string = KEY): void {
  try {
    sessionStorage.removeItem(key)
  } catch {}
}

const PICTURE = 'begun-picture'

/** Keeps the picture of a code that was begun without an account, for the form of the new account. */
export const keepPicture = (address: string | null) =>
  address ? keep(PICTURE, address) : forgetForm(PICTURE)

/** The picture of the code that this tab keeps without an owner; null without one. */
export const begunPicture = () => (isUnowned() ? keptText(PICTURE) : null)

const isUnowned = () => /"userId":null/.test(keptText() ?? '')

/** Forgets a code that was begun without an account; a form that waits for its owner stays. */
export function forgetUnowned(): void {
  if (isUnowned()) forgetForm()
}

/** The kept form, or another text, as it was stored; null if the tab keeps none. */
export function keptText(key: string = KEY): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}
