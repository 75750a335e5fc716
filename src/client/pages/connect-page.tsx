import { Title } from '@mantine/core'
import { useSearchParams } from 'wouter'
import { Consent, useConnectRequest } from '../accounts/consent.tsx'
import { useUser } from '../accounts/queries.ts'
import { Loaded } from '../ui/dialog/dialog.tsx'
import { CardPage, usePageTitle } from '../ui/page/page.tsx'

/** An app has sent the browser here, to be connected to the account. */
export default function ConnectPage() {
  usePageTitle('Connect an app')
  const [params] = useSearchParams()
  const uid = params.get('request') ?? ''
  const [user, asked] = [useUser(), useConnectRequest(uid)]
  return (
    <CardPage>
      <Title mb="sm">Connect an app</Title>
      <Loaded query={user} what="Your account">
        {(owner) => (
          <Loaded query={asked} what="The app">
            {(app) => <Consent uid={uid} user={owner} asked={app} />}
          </Loaded>
        )}
      </Loaded>
    </CardPage>
  )
}
