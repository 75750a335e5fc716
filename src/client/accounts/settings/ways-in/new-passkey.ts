import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'

export type PasskeyOptions = PublicKeyCredentialCreationOptionsJSON

/** Makes a passkey in this browser, or on the device that it asks for. */
export async function makePasskey(optionsJSON: PasskeyOptions): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON })
}

/** What happened where the browser gave no passkey. */
export function whyNoPasskey({ name }: Error): string {
  return name === 'InvalidStateError'
    ? 'This device already has a passkey for your account.'
    : 'No passkey was added. Try again, or with another device.'
}
