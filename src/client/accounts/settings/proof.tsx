import { Anchor, Button, PasswordInput, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isRefusal, request, serverMessageOf } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Withdrawn } from '../../ui/call.ts'
import { ask } from '../../ui/messages/confirm-dialog.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useAccount } from '../queries.ts'
import { askForPasskey, canUsePasskeys } from '../sign-in/passkey.ts'

type Call<Output> = (password?: string) => Promise<Output>

/** Makes a call that needs a recent sign-in; without one, asks the user for proof and repeats the call. */
export async function withProof<Output>(call: Call<Output>): Promise<Output> {
  try {
    return await call()
  } catch (error) {
    if (!isRefusal(error, 'sign_in_again')) throw error
    return askForProof(call)
  }
}

function askForProof<Output>(call: Call<Output>): Promise<Output> {
  return new Promise((resolve, reject) => {
    const close = ask({
      title: 'Confirm it’s you',
      children: <Question attempt={(password) => attempt(password)} />,
      onClose: () => reject(new Withdrawn()),
    })
    /** Resolves with the error of a wrong proof; any other failure is the caller's. */
    async function attempt(password?: string): Promise<string | null> {
      try {
        resolve(await call(password))
      } catch (error) {
        if (isRefusal(error, 'wrong_password')) return serverMessageOf(error) ?? null
        reject(error)
      }
      close()
      return null
    }
  })
}

type QuestionProps = { attempt: (password?: string) => Promise<string | null> }

function Question({ attempt }: QuestionProps) {
  const account = useAccount()
  if (account.isPending) return <Spinner label="Loading" />
  if (account.isError) return <LoadFailure what="Your account" reading={account} />
  const { email, hasPassword, passkeys, provider } = account.data
  const byPasskey = passkeys.length > 0 && canUsePasskeys()
  return (
    <Stack>
      <Text size="sm">
        {hasPassword ? 'Enter your password to continue.' : 'Log in again to continue.'}
      </Text>
      {hasPassword && <ByPassword attempt={attempt} />}
      {byPasskey && <ByPasskey attempt={attempt} email={email} />}
      {provider && (
        <Button component="a" href={`/api/auth/provider?returnTo=${here()}`} variant="default">
          Continue with {provider}
        </Button>
      )}
      <Quiet>
        {hasPassword || byPasskey || provider ? 'Or ' : 'Please '}
        <Anchor component="button" type="button" inherit onClick={signInAfresh}>
          log in again
        </Anchor>{' '}
        and come back here.
      </Quiet>
    </Stack>
  )
}

/** Signs in again without leaving the page. */
function ByPasskey({ attempt, email }: QuestionProps & { email: string }) {
  const signIn = useMutation({
    mutationFn: askForPasskey,
    onSuccess: (answer) => {
      // A passkey of another account has signed in to that account, which must not be changed.
      const isSame = 'user' in answer && answer.user.email === email
      return isSame ? attempt() : window.location.reload()
    },
    onError: (error) => reportFailure(error, 'No passkey was used. Please try again.'),
  })
  return (
    <BusyButton
      variant="default"
      busy={signIn.isPending}
      busyText="Asking..."
      onClick={() => signIn.mutate(undefined)}
    >
      Use a passkey
    </BusyButton>
  )
}

const here = () => encodeURIComponent(window.location.pathname + window.location.search)

/** Signs out first: the sign-in page sends a signed-in user on. */
async function signInAfresh(): Promise<void> {
  await request('POST', '/api/auth/sign-out').catch(() => {})
  window.location.assign(`/api/login?returnTo=${here()}`)
}

function ByPassword({ attempt }: QuestionProps) {
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') return setFailure('Password is required')
    setBusy(true)
    setFailure(await attempt(password))
    setBusy(false)
  }
  return (
    <form noValidate onSubmit={submit}>
      <Stack>
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          error={failure}
          onChange={(event) => setPassword(event.currentTarget.value)}
          data-autofocus
        />
        <BusyButton type="submit" busy={busy} busyText="Checking..." fullWidth>
          Continue
        </BusyButton>
      </Stack>
    </form>
  )
}
