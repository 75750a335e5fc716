import { plainText, z } from '../zod.ts'
import { logoId } from './artwork.ts'

/** Largest body of POST /api/logos in bytes. */
export const LOGO_MAX_BYTES = 2 * 1024 * 1024
/** Logos that an account keeps, and how much all of them may take. */
export const LOGOS_MAX = 50
export const LOGOS_MAX_BYTES = 20 * 1024 * 1024

export const LOGO_NAME_MAX = 100

/** A logo as every call answers it; its picture is at /api/logos/{id}. */
export const logo = z.object({
  id: logoId,
  name: z.string(),
  /** In pixels */
  width: z.number().int(),
  height: z.number().int(),
  /** How far it is visible from its middle, in halves of its longer edge: what a round plate has room for */
  reach: z.number(),
  createdAt: z.iso.datetime(),
})
export type Logo = z.infer<typeof logo>

/** Query of POST /api/logos: the name of the file that is sent. */
export const logoQuery = z.object({ name: plainText.max(LOGO_NAME_MAX).default('') })

export const logoParams = z.object({ id: logoId })
