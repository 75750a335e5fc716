import type { KeptLook } from '#contract/pictures/looks.ts'
import { seriesLook } from '#contract/series.ts'

export type LookValues = KeptLook['look']

/** The look in a form's values, as it would be kept; null while a colour or a text is half typed. */
export function lookIn(values: object): LookValues | null {
  return seriesLook.safeParse(values).data ?? null
}

/** Whether two looks are one, in whichever case their colours were typed. */
export function isSameLook(one: LookValues, other: LookValues): boolean {
  return spelled(one) === spelled(other)
}

/** The schema puts all fields in one order. */
const spelled = (look: LookValues) =>
  JSON.stringify(lookIn(look), (key, value: unknown) =>
    /color$/i.test(key) && typeof value === 'string' ? value.toLowerCase() : value,
  )
