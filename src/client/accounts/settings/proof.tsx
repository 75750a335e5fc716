import { Anchor, Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { signIn } from '#contract/accounts/accounts.ts'
import { isRefusal, request } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { Withdrawn } from '../../ui/call.ts'
import { ask } from '../../ui/messages/confirm-dialog.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { LoadFailure } from '../../ui/messages/failure-alert.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useAccount } from '../queries.ts'
import { askForPasskey, canUsePasskeys } from '../sign-in/passkey.ts'
import { PasswordField, StepForm } from '../sign-in/step-parts.tsx'

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
      children: <Question attempt={attempt} />,
      onClose: () => reject(new Withdrawn()),
    })
    /** Throws the error of a wrong proof; any other failure is the caller's. */
    async function attempt(password?: string): Promise<void> {
      try {
        resolve(await call(password))
      } catch (error) {
        if (isRefusal(error, 'wrong_password')) throw error
        reject(error)
      }
      close()
    }
  })
}

type QuestionProps = { attempt: (password?: string) => Promise<void> }

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
  const asking = useMutation({
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
      busy={asking.isPending}
      busyText="Asking..."
      onClick={() => asking.mutate(undefined)}
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

const passwordOnly = signIn.pick({ password: true })

function ByPassword({ attempt }: QuestionProps) {
  return (
    <StepForm
      schema={passwordOnly}
      initialValues={{ password: '' }}
      send={({ password }) => attempt(password)}
      button="Continue"
      busyText="Checking..."
    >
      <PasswordField label="Password" autoComplete="current-password" data-autofocus />
    </StepForm>
  )
}
