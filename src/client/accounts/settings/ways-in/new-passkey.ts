import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

export type PasskeyOptions = PublicKeyCredentialCreationOptionsJSON

/** Browsers have passkeys on https and on this device only. */
export const canMakePasskeys = () => 'PublicKeyCredential' in window

/** Makes a passkey in this browser, or on the device that it asks for. */
export async function makePasskey(optionsJSON: PasskeyOptions): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON })
}
