import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { usePageTitle } from '../../ui/page.tsx'

/** For a payment that was made, was left for another one, is too old, or is somebody else's. */
export function PaymentClosed() {
  usePageTitle('Payment not open')
  return (
    <Stack gap="md" maw={560}>
      <Title order={1} size="h2">
        This payment is not open any more
      </Title>
      <Text>
        It has been made already, another one was started in its place, or it was left for more than
        a day. If you have paid, your profile shows your plan; if not, choose a plan to start anew.
      </Text>
      <Group>
        <Button component="a" href="/subscription">
          Choose a plan
        </Button>
        <Button component="a" href="/profile" variant="default">
          Go to your profile
        </Button>
      </Group>
    </Stack>
  )
}
