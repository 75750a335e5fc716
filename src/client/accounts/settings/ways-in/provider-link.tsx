import { Text } from '@mantine/core'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { Section } from '../section.tsx'
import { useLinkProvider, useUnlinkProvider } from '../settings-calls.ts'

type Props = { linked: string | null; offered: string | null; isOnlyWay: boolean }

/** The company's own sign-in, where the operator has one. */
export function ProviderLink({ linked, offered, isOnlyWay }: Props) {
  if (linked) {
    return (
      <Section title={linked}>
        <Text size="sm">Your account is linked: you can sign in with {linked}.</Text>
        {!isOnlyWay && <Unlink provider={linked} />}
      </Section>
    )
  }
  return offered ? <Link provider={offered} /> : null
}

function Unlink({ provider }: { provider: string }) {
  const unlink = useUnlinkProvider()
  const ask = () =>
    confirm({
      title: `Unlink ${provider}?`,
      text: `It no longer signs you in, and your other browsers that signed in with it are signed out. Signing in there with your confirmed e-mail address links it again.`,
      stay: 'Keep it',
      go: 'Unlink',
      onGo: () => unlink.mutate(),
    })
  return (
    <BusyButton variant="default" busy={unlink.isPending} busyText="Unlinking..." onClick={ask}>
      Unlink {provider}
    </BusyButton>
  )
}

function Link({ provider }: { provider: string }) {
  const link = useLinkProvider()
  return (
    <Section title={provider} text={`Link your account to sign in with ${provider} from then on.`}>
      <BusyButton
        variant="default"
        busy={link.isPending || link.isSuccess}
        busyText="Opening..."
        onClick={() => link.mutate()}
      >
        Link with {provider}
      </BusyButton>
    </Section>
  )
}
