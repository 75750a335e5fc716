import { Button, Stack, Text, Title } from '@mantine/core'
import { useSearchParams } from 'wouter'
import type { User } from '#contract/accounts.ts'
import { AccountFailure } from '../accounts/account-page.tsx'
import { useConnectRequest } from '../accounts/connect/connect-calls.ts'
import { Consent } from '../accounts/connect/consent.tsx'
import { useUser } from '../accounts/queries.ts'
import { isRefusal, isUnauthorized } from '../api.ts'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { CardPage, PageSpinner, usePageTitle } from '../ui/page/page.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** An app has sent the browser here, to be connected to the account. */
export default function ConnectPage() {
  usePageTitle('Connect an app')
  const [params] = useSearchParams()
  const uid = params.get('request') ?? ''
  const user = useUser()
  if (isUnauthorized(user.error)) return <SignedOut />
  if (user.isError) return <AccountFailure user={user} />
  if (user.isPending) return <PageSpinner />
  return (
    <CardPage>
      <Request uid={uid} user={user.data} />
    </CardPage>
  )
}

function Request({ uid, user }: { uid: string; user: User }) {
  const asked = useConnectRequest(uid, { enabled: uid !== '' })
  if (uid === '' || isRefusal(asked.error, 'connect_request_over')) return <Over />
  if (asked.isError) return <LoadFailure what="This page" reading={asked} />
  if (asked.isPending) return <Spinner label="Loading the app" />
  return <Consent uid={uid} user={user} asked={asked.data} />
}

/** An hour has passed, or the request was answered, or is of another browser. */
function Over() {
  return (
    <Stack gap="xs">
      <Title order={1} size="h2">
        This request has expired
      </Title>
      <Text>Go back to the app and connect again.</Text>
    </Stack>
  )
}

function SignedOut() {
  const here = encodeURIComponent(window.location.pathname + window.location.search)
  return (
    <CardPage>
      <Stack align="flex-start">
        <Title order={1} size="h2">
          Please log in
        </Title>
        <Text>Log in to the account that you want to connect the app to.</Text>
        <Button component="a" href={`/api/login?returnTo=${here}`} fullWidth>
          Log In
        </Button>
      </Stack>
    </CardPage>
  )
}
