import { Badge, Button, Container, Group, Stack, Text, Title } from '@mantine/core'
import { isRefusal } from '../api.ts'
import { Order } from '../billing/sandbox/order.tsx'
import { Portal } from '../billing/sandbox/portal.tsx'
import { useSandboxPage } from '../billing/sandbox/sandbox-calls.ts'
import { LoadFailure } from '../ui/messages/failure-alert.tsx'
import { usePageTitle } from '../ui/page/page.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { keepWorkspace } from '../workspace.ts'
import { LogoBar } from './logo-bar.tsx'

/** Our stand-in for the payment provider's pages, where no money changes hands. `path` is the page's own. */
export function SandboxPage({ path }: { path: string }) {
  return (
    <>
      <LogoBar size="md">
        <Badge bg="var(--note)" c="var(--note-text)" flex="none" tt="none" size="lg">
          Test mode
        </Badge>
      </LogoBar>
      <Container component="main" size="md" py="xl">
        <Contents path={path} />
      </Container>
    </>
  )
}

function Contents({ path }: { path: string }) {
  const page = useSandboxPage(path)
  if (page.isPending) return <Spinner label="Loading the payment" visibleLabel />
  if (isRefusal(page.error, 'checkout_not_found')) return <PaymentClosed />
  if (page.isError) return <LoadFailure what="The payment" reading={page} />
  if (page.data.kind === 'order') return <Order page={page.data} path={path} />
  return <Portal page={page.data} path={path} />
}

/** For a payment that was made, replaced by another one, left too long, or is of another account. */
function PaymentClosed() {
  usePageTitle('Payment no longer open')
  return (
    <Stack gap="md" maw={560}>
      <Title>This payment is no longer open</Title>
      <Text>
        It’s already paid, was replaced by another one, or is more than a day old. If you’ve paid,
        you’ll find your plan in your profile. If not, choose a plan to start again.
      </Text>
      <Group>
        <Button component="a" href={keepWorkspace('/subscription')}>
          Choose a plan
        </Button>
        <Button component="a" href={keepWorkspace('/profile')} variant="default">
          Go to your profile
        </Button>
      </Group>
    </Stack>
  )
}
