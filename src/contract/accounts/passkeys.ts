import { plainText, z } from '../zod.ts'

/*
 * The answers of browsers for a passkey (WebAuthn Level 3 §5.1, RegistrationResponseJSON and
 * AuthenticationResponseJSON). Parts that are not read are dropped.
 */

/** Bytes in base64url, as WebAuthn writes them. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/)

/** A credential's id is at most 1,023 bytes. */
const credential = {
  id: bytes(1_364),
  rawId: bytes(1_364),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional().catch(undefined),
  clientExtensionResults: z.object({}).default({}),
}

/** Body of POST /api/account/passkeys. Without a name it gets that of the browser and its system. */
export const newPasskey = z.strictObject({
  name: plainText.max(100, 'Name is too long').default(''),
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4_096),
      attestationObject: bytes(32_768),
      transports: z.array(z.string().max(32)).max(16).default([]),
    }),
  }),
})
export type NewPasskey = z.infer<typeof newPasskey>

/** Body of POST /api/auth/sign-in/passkey. */
export const passkeySignIn = z.strictObject({
  response: z.object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4_096),
      authenticatorData: bytes(8_192),
      signature: bytes(8_192),
      userHandle: bytes(128).optional().catch(undefined),
    }),
  }),
})
export type PasskeySignIn = z.infer<typeof passkeySignIn>

/** The options that a page hands to the browser: PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON. */
export const passkeyOptions = z.looseObject({ challenge: z.string() })

/** Passkeys that an account can have. */
export const PASSKEYS_MAX = 20
