import { Text } from '@mantine/core'
import { BusyButton } from '../../../ui/busy-button.tsx'
import { Section } from '../section.tsx'
import { useLinkProvider } from '../settings-calls.ts'

type Props = { linked: string | null; offered: string | null }

/** The company's own sign-in, where the operator has one. */
export function ProviderLink({ linked, offered }: Props) {
  if (linked) {
    return (
      <Section title={linked}>
        <Text size="sm">Your account is linked: you can sign in with {linked}.</Text>
      </Section>
    )
  }
  return offered ? <Link provider={offered} /> : null
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
