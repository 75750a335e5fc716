import { flag, list, ownId, text, textOrNull, time, z } from '../zod.ts'
import { pageLimit, partOf, qrCode } from './codes.ts'
import { type KeptField, keptFields, STATES_PAGE } from './rule-values.ts'

const kept = Object.fromEntries(keptFields.map((field) => [field, true])) as Record<KeptField, true>

/** A state that a code has had, and who brought it. The oldest is the one before the first change. */
export const codeState = z.strictObject({
  id: ownId,
  at: time('When the code got this state.'),
  by: z
    .enum(['person', 'key', 'app'])
    .nullable()
    .describe(
      'Who changed it: a person, an API key, or a connected app; null for the oldest state.',
    ),
  byName: textOrNull('The name of the person, the key or the app; null once the person is gone.'),
  isYou: flag('Whether it was you, also by a key or an app of yours.'),
  changed: list(z.enum(keptFields), 'The fields that changed; none in the oldest state.'),
  ...qrCode.pick(kept).shape,
})
export type CodeState = z.infer<typeof codeState>

/** The path of the call that brings back a state. */
export const stateParams = z.object({
  id: text('The id of the code.'),
  stateId: text('The id of the state.'),
})

/** Query of GET /api/qr-codes/{id}/history, and its answer. */
export const statesQuery = z
  .object({
    limit: pageLimit(STATES_PAGE),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/)
      .describe('`nextCursor` of the previous page.'),
  })
  .partial()
export const statesPart = partOf(codeState).extend({
  lastChange: z
    .strictObject({
      at: time('When it was changed last, or created.'),
      byName: textOrNull('The name of the person; null for the server itself.'),
      isYou: flag('Whether it was you.'),
    })
    .nullable()
    .describe('The last change of the code, also of what no state keeps; null if it is not known.'),
})
export type StatesPart = z.infer<typeof statesPart>
