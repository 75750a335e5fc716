import { LOOKS_MAX } from '#contract/pictures/looks.ts'
import type { LookFields } from '#contract/pictures/pictures.ts'
import type { LooksTable } from '../../database/schema.ts'
import { AppError, refusedAt } from '../../http/errors.ts'
import type { CodeRow } from '../codes-store.ts'
import { type Entitlements, wantedArtwork } from '../rules.ts'

/** @throws AppError looks_full */
export function refuseTooMany(kept: readonly LooksTable[]): void {
  if (kept.length >= LOOKS_MAX) throw new AppError('looks_full')
}

const folded = (name: string) => name.normalize('NFC').toLowerCase()

/**
 * Refuses a name that another style of the account has, in whichever case.
 * @throws AppError look_name_taken
 */
export function refuseSameName(kept: readonly LooksTable[], id: string, name: string): void {
  const isTaken = kept.some((row) => row.id !== id && folded(row.name) === folded(name))
  if (!isTaken) return
  throw refusedAt('look_name_taken', 'name')
}

/** A look as the columns of a code. */
export function columnsOf(look: LookFields) {
  return {
    style: look.style,
    foreground_color: look.foregroundColor,
    background_color: look.backgroundColor,
    ecc: look.ecc,
    compact: Number(look.compact),
    artwork: look.artwork && JSON.stringify(look.artwork),
  }
}

/** The look that a new code begins with. Shapes, logo and frame are left out where the plan has none. */
export function beginningLook(
  look: LookFields,
  { hasArtwork }: Pick<Entitlements, 'hasArtwork'>,
): LookFields {
  return hasArtwork ? look : { ...look, artwork: null }
}

/** Whether a code would look different. @throws AppError artwork_not_in_plan */
export function isChangedBy(row: CodeRow, look: LookFields, plan: Entitlements): boolean {
  wantedArtwork(look, row.artwork, plan)
  return Object.entries(columnsOf(look)).some(
    ([column, value]) => row[column as keyof CodeRow] !== value,
  )
}
