import type { User } from '#contract/accounts/accounts.ts'
import { plans } from '#contract/billing/plans.ts'
import { type QrCode, savedLook } from '#contract/codes/codes.ts'
import { artwork } from '#contract/pictures/artwork.ts'
import { HOUR_MS } from '#contract/time.ts'
import { z } from '#contract/zod.ts'
import type { Values } from '../../kept-form.ts'
import { forgetForm, type KeptForm, keptText } from '../../kept-form.ts'
import { ownerHere } from '../../workspace.ts'
import { NEW } from '../addresses.ts'

/** The initial state of a form. */
export type Opening = {
  /** The code to edit, or null for a new one. */
  code: QrCode | null
  /** Filled in and not saved yet. */
  typed: Partial<Values>
  /** The version of the code that it was typed for; null for a new code, and if nothing is filled in */
  version: number | null
  notice: string | null
}

/** A kept form that waits to be opened again. `asked` is the code it belongs to, or NEW. */
export type KeptOpening = { asked: string; with: (code: QrCode | null) => Opening }

const typed = z.string()

/** As the form holds it: what is typed may be half of a colour, or a text that cannot be drawn. */
const keptArtwork = artwork.extend({
  eyeFrameColor: typed.nullable(),
  eyeBallColor: typed.nullable(),
  gradient: artwork.shape.gradient.unwrap().unwrap().extend({ to: typed }).nullable(),
  frame: artwork.shape.frame
    .unwrap()
    .unwrap()
    .extend({ text: typed, color: typed, textColor: typed })
    .nullable(),
})

export const keptValues = savedLook.extend({
  name: typed,
  url: typed,
  domain: typed.default(''),
  vanityUrl: typed,
  // A form that was kept before there were tags has none.
  tags: z.array(typed).default([]),
  passQuery: z.boolean().default(false),
  artwork: keptArtwork.nullable(),
})

const keptForm: z.ZodType<KeptForm> = z.object({
  userId: z.string().nullable(),
  at: z.number(),
  code: z.object({ id: z.string(), name: z.string(), version: z.number() }).nullable(),
  values: keptValues,
  typed: keptValues.keyof().array(),
})

/** The form in a stored text; null if it is another user's or workspace's, too old or no form at all. */
export const readForm = (text: string | null, userId: string, now: number) =>
  readKept(keptForm, text, userId, now)

type Kept = Pick<KeptForm, 'userId' | 'at'>

/** Reads a stored text by a schema; null if it is another user's or workspace's, too old or something else. */
export function readKept<Form extends Kept>(
  schema: z.ZodType<Form>,
  text: string | null,
  userId: string,
  now: number,
): Form | null {
  const { data } = schema.safeParse(parsed(text))
  // After an hour the person has probably begun something else.
  if (!data || now - data.at > HOUR_MS) return null
  return data.userId === null || data.userId === ownerHere(userId) ? data : null
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

export const UNSAVED = 'We kept what you typed. Save it to keep it.'
const BEGUN = 'Here’s the code you started. Save it to keep it.'
const deletedText = (name: string) =>
  `“${name}” was deleted in the meantime, so what you typed is here as a new QR code.`

/**
 * Opens a kept form again. An edited code gets only the fields that were typed, since the others may
 * have changed elsewhere. If the code has been deleted, all fields go into a new one, except for its
 * old path: no code can get that again. A path that the plan no longer allows is left out, because
 * its field is disabled and could not be cleared.
 */
export function openingOf(
  { userId, code: edited, values, typed }: KeptForm,
  code: QrCode | null,
  customPaths: boolean,
): Opening {
  const isDeleted = edited !== null && code === null
  const fields = Object.keys(values) as (keyof Values)[]
  const filled = fields.filter((field) => {
    if (field === 'vanityUrl' && !customPaths) return false
    return typed.includes(field) || (isDeleted && field !== 'vanityUrl')
  })
  const unsaved = userId === null ? BEGUN : UNSAVED
  return {
    code,
    typed: Object.fromEntries(filled.map((field) => [field, values[field]])),
    version: code === null ? null : (edited?.version ?? null),
    notice: isDeleted ? deletedText(edited.name) : filled.length > 0 ? unsaved : null,
  }
}

/** The form that this tab keeps for a user. Another user's form is forgotten. */
export function keptOpening({ id, subscriptionTier }: User): KeptOpening | null {
  const form = readForm(keptText(), id, Date.now())
  if (!form) {
    forgetForm()
    return null
  }
  const { customPaths } = plans[subscriptionTier]
  return { asked: form.code?.id ?? NEW, with: (code) => openingOf(form, code, customPaths) }
}
