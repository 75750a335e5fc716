import { Button, Text } from '@mantine/core'
import { Section } from '../section.tsx'
import { addressOf } from '../sections.ts'

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
  if (!offered) return null
  return (
    <Section title={offered} text={`Link your account to sign in with ${offered} from then on.`}>
      <Button
        component="a"
        href={`/api/auth/provider?returnTo=${encodeURIComponent(addressOf('sign-in'))}`}
        variant="default"
      >
        Link with {offered}
      </Button>
    </Section>
  )
}
