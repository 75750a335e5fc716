import { z } from './zod.ts'

/**
 * What becomes of payments with a test card. Its number never leaves the browser: the form sends
 * one of these words.
 */
export const testCard = z.enum(['pays', 'declined', 'fails_later'])
export type TestCard = z.infer<typeof testCard>
