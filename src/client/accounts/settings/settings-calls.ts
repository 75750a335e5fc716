import type {
  PublicKeyCredentialCreationOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import type {
  AccountChange,
  AccountSettings,
  EmailChange,
  HistoryEntry,
  OwnerProof,
  PasskeyEntry,
  ProviderLink,
  RecoveryCodes,
  SecondFactorOffer,
  SecondFactorProof,
  SessionEntry,
} from '#contract/account-settings.ts'
import type { ApiKeyEntry, MadeApiKey, NewApiKey } from '#contract/integrations/api-keys.ts'
import type { ConnectedApp } from '#contract/integrations/connected-apps.ts'
import { request, requestJson } from '../../api.ts'
import { useCall } from '../../ui/call.ts'
import { refreshAccount } from '../queries.ts'
import { withProof } from './proof.tsx'

/** Lists that other browsers change too are read each time they are opened. */
const useList = <Entry>(name: string) =>
  useQuery<Entry[]>({ queryKey: [`/api/account/${name}`], gcTime: 0 })

export const useSessions = () => useList<SessionEntry>('sessions')
export const useKeys = () => useList<ApiKeyEntry>('keys')
export const useApps = () => useList<ConnectedApp>('apps')
export const useHistory = () => useList<HistoryEntry>('history')

/** A change of the account, which is then read again. Forms show the refusals of their fields. */
const useChange = <Input = void, Output = unknown>(
  failed: string | ((error: Error) => string),
  done: string | undefined,
  call: (input: Input) => Promise<Output>,
) => useCall<Input, Output>(call, { done, failed, isForm: true, after: refreshAccount })

/** The same for an answer that is shown at once, even if its form has left the page. */
const useShown = <Input, Output>(
  failed: string,
  show: (output: Output) => void,
  call: (input: Input) => Promise<Output>,
) => {
  const after = (output: Output) => {
    show(output)
    return refreshAccount()
  }
  return useCall(call, { failed, isForm: true, after })
}

/** Calls that need the password again after a while. */
const proved = (path: string, body: object = {}) =>
  withProof((password) => request('POST', `/api/account/${path}`, { ...body, password }))

async function provedJson<Answer>(path: string, body?: object): Promise<Answer> {
  return (await proved(path, body)).json()
}

const remove = (path: string) => request('DELETE', `/api/account/${path}`)

const change = (body: AccountChange) => requestJson<AccountSettings>('PATCH', '/api/account', body)

export const useSaveName = () =>
  useChange<Pick<AccountChange, 'firstName' | 'lastName'>>(
    'Failed to save your name',
    'Name saved',
    change,
  )

export const useSaveContact = () =>
  useChange<Pick<AccountChange, 'shownName' | 'shownContact'>>(
    'Failed to save your contact',
    'Contact saved',
    change,
  )

export const useSaveZone = () =>
  useChange('Failed to save your time zone', 'Time zone saved', (timeZone: string) =>
    change({ timeZone }),
  )

export const useSaveNotices = () =>
  useChange<Pick<AccountChange, 'noticesOff'>>('Failed to save your choice', undefined, change)

export const useSavePicture = () =>
  useChange('Failed to save your picture', 'Picture saved', (file: File) =>
    request('PUT', '/api/account/picture', file),
  )

export const useRemovePicture = () =>
  useChange('Failed to remove your picture', 'Picture removed', () => remove('picture'))

export const useChangeEmail = () =>
  useChange(
    'Failed to change your email address',
    undefined,
    ({ email }: Pick<EmailChange, 'email'>) => proved('email', { email }),
  )

export const useUndoEmailChange = () =>
  useChange('Failed to cancel the change', 'Your email address stays the same', () =>
    remove('email'),
  )

export const useSavePassword = () =>
  useChange(
    'Failed to save your password',
    'Password saved',
    ({ password }: { password: string }) =>
      withProof((current) => request('POST', '/api/account/password', { current, password })),
  )

/** An offer, with the password if it was asked for: the first code takes it too. */
export type ProvedOffer = SecondFactorOffer & OwnerProof

/** Asks for the secret of an authenticator app. Nothing is on before its first code. */
export const useOfferSecondStep = () =>
  useChange<void, ProvedOffer>('Failed to set up two-step verification', undefined, () =>
    withProof(async (password) => {
      const path = '/api/account/second-factor'
      return { ...(await requestJson<SecondFactorOffer>('POST', path, { password })), password }
    }),
  )

export const useConfirmSecondStep = (show: (codes: RecoveryCodes) => void) =>
  useShown(
    'Failed to turn on two-step verification',
    show,
    ({ code, password: given }: SecondFactorProof) =>
      withProof((password = given) =>
        requestJson<RecoveryCodes>('POST', '/api/account/second-factor/confirm', {
          code,
          password,
        }),
      ),
  )

export const useEndSecondStep = () =>
  useChange('Failed to turn off two-step verification', 'Two-step verification is off', () =>
    proved('second-factor/off'),
  )

export const useMakeRecoveryCodes = (show: (codes: RecoveryCodes) => void) =>
  useShown<void, RecoveryCodes>('Failed to create recovery codes', show, () =>
    provedJson('recovery-codes'),
  )

export const useAddPasskey = () =>
  useChange(whyNoPasskey, 'Passkey added', async ({ name }: { name: string }) => {
    const response = await makePasskey(await provedJson<PasskeyOptions>('passkeys/options'))
    return requestJson<PasskeyEntry>('POST', '/api/account/passkeys', { name, response })
  })

type PasskeyOptions = PublicKeyCredentialCreationOptionsJSON

/** Makes a passkey in this browser, or on the device that it asks for. */
async function makePasskey(optionsJSON: PasskeyOptions): Promise<RegistrationResponseJSON> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  return startRegistration({ optionsJSON })
}

const whyNoPasskey = ({ name }: Error) =>
  name === 'InvalidStateError'
    ? 'This device already has a passkey for your account.'
    : 'No passkey was added. Try again, or with another device.'

export const useRemovePasskey = () =>
  useChange('Failed to remove the passkey', 'Passkey removed', (id: string) =>
    remove(`passkeys/${id}`),
  )

export const useMakeKey = (show: (key: MadeApiKey) => void) =>
  useShown('Failed to create the key', show, (wanted: NewApiKey) =>
    provedJson<MadeApiKey>('keys', wanted),
  )

export const useRevokeKey = () =>
  useChange('Failed to revoke the key', 'Key revoked', (id: string) => remove(`keys/${id}`))

export const useResumeKey = () =>
  useChange('Failed to turn on the key', 'Key turned on again', (id: string) =>
    proved(`keys/${id}/resume`),
  )

export const useDisconnectApp = () =>
  useChange('Failed to disconnect the app', 'App disconnected', (id: string) =>
    remove(`apps/${id}`),
  )

export const useEndSession = () =>
  useChange('Failed to end the session', 'Session ended', (id: string) => remove(`sessions/${id}`))

export const useSignOutEverywhere = () =>
  useChange('Failed to log out everywhere', 'You’re logged out everywhere else', () =>
    remove('sessions'),
  )

export const useDeleteAccount = () =>
  useChange('Failed to delete your account', undefined, () => proved('deletion'))

export const useUnlinkProvider = () =>
  useChange('Failed to unlink it', 'Login service unlinked', () =>
    withProof((password) => request('DELETE', '/api/account/provider', { password })),
  )

/** Asks for the address of the provider's page, which links the account. */
export const useLinkProvider = () =>
  useChange('Failed to open the login service', undefined, async () => {
    const { url } = await provedJson<ProviderLink>('provider/link')
    window.location.assign(url)
  })
