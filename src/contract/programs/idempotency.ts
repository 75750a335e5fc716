import { z } from '../zod.ts'

/**
 * Headers of the calls that make codes. A call that is repeated with the same key makes nothing again
 * and has the same answer, for 24 hours: draft-ietf-httpapi-idempotency-key-header-07.
 */
export const onceHeaders = z.looseObject({
  'idempotency-key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/, 'Idempotency-Key has 1 to 255 printable ASCII characters')
    .optional(),
})
