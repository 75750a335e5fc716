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
  PasskeyEntry,
  ProofOnly,
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
  call: (input: Input) => Promise<Output>,
  failed: string | ((error: Error) => string),
  done?: string,
) => useCall<Input, Output>(call, { done, failed, isForm: true, after: refreshAccount })

/** The same for an answer that is shown at once, even if its form has left the page. */
const useShown = <Input, Output>(
  call: (input: Input) => Promise<Output>,
  failed: string,
  show: (output: Output) => void,
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
    change,
    'Failed to save your name',
    'Name saved',
  )

export const useSaveContact = () =>
  useChange<Pick<AccountChange, 'shownName' | 'shownContact'>>(
    change,
    'Failed to save your contact',
    'Contact saved',
  )

export const useSaveZone = () =>
  useChange(
    (timeZone: string) => change({ timeZone }),
    'Failed to save your time zone',
    'Time zone saved',
  )

export const useSaveNotices = () =>
  useChange<Pick<AccountChange, 'noticesOff'>>(change, 'Failed to save your choice')

export const useSavePicture = () =>
  useChange(
    (file: File) => request('PUT', '/api/account/picture', file),
    'Failed to save your picture',
    'Picture saved',
  )

export const useRemovePicture = () =>
  useChange(() => remove('picture'), 'Failed to remove your picture', 'Picture removed')

export const useChangeEmail = () =>
  useChange(
    ({ email }: Pick<EmailChange, 'email'>) => proved('email', { email }),
    'Failed to change your email address',
  )

export const useUndoEmailChange = () =>
  useChange(
    () => remove('email'),
    'Failed to cancel the change',
    'Your email address stays the same',
  )

export const useSavePassword = () =>
  useChange(
    ({ password }: { password: string }) =>
      withProof((current) => request('POST', '/api/account/password', { current, password })),
    'Failed to save your password',
    'Password saved',
  )

/** An offer, with the password if it was asked for: the first code takes it too. */
export type ProvedOffer = SecondFactorOffer & ProofOnly

/** Asks for the secret of an authenticator app. Nothing is on before its first code. */
export const useOfferSecondStep = () =>
  useChange<void, ProvedOffer>(
    () =>
      withProof(async (password) => {
        const path = '/api/account/second-factor'
        return { ...(await requestJson<SecondFactorOffer>('POST', path, { password })), password }
      }),
    'Failed to set up two-step verification',
  )

export const useConfirmSecondStep = (show: (codes: RecoveryCodes) => void) =>
  useShown(
    ({ code, password: given }: SecondFactorProof) =>
      withProof((password = given) =>
        requestJson<RecoveryCodes>('POST', '/api/account/second-factor/confirm', {
          code,
          password,
        }),
      ),
    'Failed to turn on two-step verification',
    show,
  )

export const useEndSecondStep = () =>
  useChange(
    () => proved('second-factor/off'),
    'Failed to turn off two-step verification',
    'Two-step verification is off',
  )

export const useMakeRecoveryCodes = (show: (codes: RecoveryCodes) => void) =>
  useShown<void, RecoveryCodes>(
    () => provedJson('recovery-codes'),
    'Failed to create recovery codes',
    show,
  )

export const useAddPasskey = () =>
  useChange(
    async ({ name }: { name: string }) => {
      const response = await makePasskey(await provedJson<PasskeyOptions>('passkeys/options'))
      return requestJson<PasskeyEntry>('POST', '/api/account/passkeys', { name, response })
    },
    whyNoPasskey,
    'Passkey added',
  )

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
  useChange(
    (id: string) => remove(`passkeys/${id}`),
    'Failed to remove the passkey',
    'Passkey removed',
  )

export const useMakeKey = (show: (key: MadeApiKey) => void) =>
  useShown(
    (wanted: NewApiKey) => provedJson<MadeApiKey>('keys', wanted),
    'Failed to create the key',
    show,
  )

export const useRevokeKey = () =>
  useChange((id: string) => remove(`keys/${id}`), 'Failed to revoke the key', 'Key revoked')

export const useResumeKey = () =>
  useChange(
    (id: string) => proved(`keys/${id}/resume`),
    'Failed to turn on the key',
    'Key turned on again',
  )

export const useDisconnectApp = () =>
  useChange(
    (id: string) => remove(`apps/${id}`),
    'Failed to disconnect the app',
    'App disconnected',
  )

export const useEndSession = () =>
  useChange((id: string) => remove(`sessions/${id}`), 'Failed to end the session', 'Session ended')

export const useSignOutEverywhere = () =>
  useChange(
    () => remove('sessions'),
    'Failed to log out everywhere',
    'You’re logged out everywhere else',
  )

export const useDeleteAccount = () =>
  useChange(() => proved('deletion'), 'Failed to delete your account')

export const useUnlinkProvider = () =>
  useChange(
    () => withProof((password) => request('DELETE', '/api/account/provider', { password })),
    'Failed to unlink it',
    'Login service unlinked',
  )

/** Asks for the address of the provider's page, which links the account. */
export const useLinkProvider = () =>
  useChange(async () => {
    const { url } = await provedJson<ProviderLink>('provider/link')
    window.location.assign(url)
  }, 'Failed to open the login service')
