import { oneOf, text, time, z } from '../zod.ts'

/** The findings of a check */
export const healths = ['alive', 'dead', 'unclear'] as const
export type Health = (typeof healths)[number]

/** How a code's main destination is. */
export const destinationHealth = z
  .strictObject({
    state: oneOf(
      healths,
      'Dead after four failures within a day. Unclear if the server refused or didn’t answer.',
    ),
    since: time('Since when.'),
    seen: text('What it answered: a status such as 404, or why there was no answer.'),
  })
  .nullable()
  .describe('Whether `url` works; null if it isn’t checked, or not yet.')
