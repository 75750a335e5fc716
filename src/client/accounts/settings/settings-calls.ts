import { useMutation, useQuery } from '@tanstack/react-query'
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
import type { ApiKeyEntry, MadeApiKey, NewApiKey } from '#contract/programs/api-keys.ts'
import { request, requestJson } from '../../api.ts'
import { fieldErrors } from '../../ui/field-errors.ts'
import { reportFailure } from '../../ui/messages/failure.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { refreshAccount } from '../queries.ts'
import { NotProved, withProof } from './proof.tsx'
import { settingsFields } from './settings-form.ts'
import { makePasskey, type PasskeyOptions, whyNoPasskey } from './ways-in/new-passkey.ts'

/** Read anew whenever they are opened: other browsers add to them. */
export function useSessions() {
  return useQuery<SessionEntry[]>({ queryKey: ['/api/account/sessions'], gcTime: 0 })
}

export function useKeys() {
  return useQuery<ApiKeyEntry[]>({ queryKey: ['/api/account/keys'], gcTime: 0 })
}

export function useHistory() {
  return useQuery<HistoryEntry[]>({ queryKey: ['/api/account/history'], gcTime: 0 })
}

type Change<Input, Output> = {
  call: (input: Input) => Promise<Output>
  /** Gets the answer, even if what asked for it has left the page by then */
  show?: (output: Output) => void
  /** Said when it is done, where the page does not show it */
  done?: string
  /** Said where the server has no words for what went wrong */
  failed: string | ((error: Error) => string)
}

/**
 * A change of the account, which is read again afterwards. A refusal that belongs to a field of a
 * form is for its caller to show.
 */
function useChange<Input = void, Output = unknown>({
  call,
  show,
  done,
  failed,
}: Change<Input, Output>) {
  return useMutation({
    mutationFn: call,
    onSuccess: async (output) => {
      show?.(output)
      await refreshAccount()
      if (done) toast.success(done)
    },
    onError: (error) => {
      if (error instanceof NotProved || Object.keys(fieldErrors(error, settingsFields)).length > 0)
        return
      reportFailure(error, typeof failed === 'string' ? failed : failed(error))
    },
  })
}

const change = (body: AccountChange) => requestJson<AccountSettings>('PATCH', '/api/account', body)

export const useSaveName = () =>
  useChange<Pick<AccountChange, 'firstName' | 'lastName'>>({
    ...{ call: change, done: 'Your name is saved', failed: 'Failed to save your name' },
  })

export const useSaveZone = () =>
  useChange({
    call: (timeZone: string) => change({ timeZone }),
    ...{ done: 'Your time zone is saved', failed: 'Failed to save your time zone' },
  })

export const useSaveNotices = () =>
  useChange<Pick<AccountChange, 'noticesOff'>>({
    ...{ call: change, failed: 'Failed to save your choice' },
  })

export const useSavePicture = () =>
  useChange({
    call: (file: File) => request('PUT', '/api/account/picture', file),
    ...{ done: 'Your picture is saved', failed: 'Failed to save your picture' },
  })

export const useRemovePicture = () =>
  useChange({
    call: () => request('DELETE', '/api/account/picture'),
    ...{ done: 'Your picture is removed', failed: 'Failed to remove your picture' },
  })

export const useChangeEmail = () =>
  useChange({
    call: ({ email }: Pick<EmailChange, 'email'>) =>
      withProof((password) => request('POST', '/api/account/email', { email, password })),
    failed: 'Failed to change your e-mail address',
  })

export const useUndoEmailChange = () =>
  useChange({
    call: () => request('DELETE', '/api/account/email'),
    ...{ done: 'Your e-mail address stays as it is', failed: 'Failed to undo the change' },
  })

export const useSavePassword = () =>
  useChange({
    call: (password: string) =>
      withProof((current) => request('POST', '/api/account/password', { current, password })),
    ...{ done: 'Your password is saved', failed: 'Failed to save your password' },
  })

/** An offer, with the password if it was asked for: the first code takes it too. */
export type ProvedOffer = SecondFactorOffer & ProofOnly

/** Asks for the secret of an authenticator app. Nothing is on before its first code. */
export const useOfferSecondStep = () =>
  useChange({
    call: () =>
      withProof(async (password) => ({
        ...(await requestJson<SecondFactorOffer>('POST', '/api/account/second-factor', {
          password,
        })),
        password,
      })),
    failed: 'Failed to set up the second step',
  })

export const useConfirmSecondStep = (show: (codes: RecoveryCodes) => void) =>
  useChange({
    call: ({ code, password: given }: SecondFactorProof) =>
      withProof((password = given) =>
        requestJson<RecoveryCodes>('POST', '/api/account/second-factor/confirm', {
          code,
          password,
        }),
      ),
    show,
    failed: 'Failed to turn on the second step',
  })

export const useEndSecondStep = () =>
  useChange({
    call: () =>
      withProof((password) => request('POST', '/api/account/second-factor/off', { password })),
    ...{ done: 'The second step is off', failed: 'Failed to turn off the second step' },
  })

export const useMakeRecoveryCodes = (show: (codes: RecoveryCodes) => void) =>
  useChange<void, RecoveryCodes>({
    show,
    call: () =>
      withProof((password) =>
        requestJson<RecoveryCodes>('POST', '/api/account/recovery-codes', { password }),
      ),
    failed: 'Failed to make recovery codes',
  })

export const useAddPasskey = () =>
  useChange({
    call: async (name: string) => {
      const response = await makePasskey(await passkeyOptions())
      return requestJson<PasskeyEntry>('POST', '/api/account/passkeys', { name, response })
    },
    ...{ done: 'The passkey is added', failed: whyNoPasskey },
  })

const passkeyOptions = () =>
  withProof((password) =>
    requestJson<PasskeyOptions>('POST', '/api/account/passkeys/options', { password }),
  )

export const useRemovePasskey = () =>
  useChange({
    call: (id: string) => request('DELETE', `/api/account/passkeys/${id}`),
    ...{ done: 'The passkey is removed', failed: 'Failed to remove the passkey' },
  })

export const useMakeKey = (show: (key: MadeApiKey) => void) =>
  useChange({
    call: (wanted: NewApiKey) =>
      withProof((password) =>
        requestJson<MadeApiKey>('POST', '/api/account/keys', { ...wanted, password }),
      ),
    show,
    failed: 'Failed to make the key',
  })

export const useRevokeKey = () =>
  useChange({
    call: (id: string) => request('DELETE', `/api/account/keys/${id}`),
    ...{ done: 'The key is revoked', failed: 'Failed to revoke the key' },
  })

export const useEndSession = () =>
  useChange({
    call: (id: string) => request('DELETE', `/api/account/sessions/${id}`),
    ...{ done: 'The session has ended', failed: 'Failed to end the session' },
  })

export const useSignOutEverywhere = () =>
  useChange({
    call: () => request('DELETE', '/api/account/sessions'),
    ...{ done: 'All other sessions have ended', failed: 'Failed to sign out everywhere' },
  })

export const useDeleteAccount = () =>
  useChange({
    call: () => withProof((password) => requestJson('POST', '/api/account/deletion', { password })),
    failed: 'Failed to delete your account',
  })

export const useUnlinkProvider = () =>
  useChange({
    call: () => withProof((password) => request('DELETE', '/api/account/provider', { password })),
    ...{ done: 'The sign-in service is unlinked', failed: 'Failed to unlink it' },
  })

/** Asks for the address of the provider's page, where the account is linked. */
export const useLinkProvider = () =>
  useChange({
    call: async () => {
      const { url } = await withProof((password) =>
        requestJson<ProviderLink>('POST', '/api/account/provider/link', { password }),
      )
      window.location.assign(url)
    },
    failed: 'Failed to open the sign-in service',
  })
