import { Badge, Container, Group } from '@mantine/core'
import { ApiError } from '../api.ts'
import { PaymentClosed } from '../billing/sandbox/payment-closed.tsx'
import { PlanChange } from '../billing/sandbox/plan-change.tsx'
import { Portal } from '../billing/sandbox/portal.tsx'
import { useSandboxPage } from '../billing/sandbox/sandbox-calls.ts'
import { TestPayment } from '../billing/sandbox/test-payment.tsx'
import { LoadFailure } from '../ui/failure-alert.tsx'
import { Logo } from '../ui/logo.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './sandbox-page.module.css'

/** What stands in the payment provider's place where no money changes hands. `path` is the page's own. */
export function SandboxPage({ path }: { path: string }) {
  return (
    <>
      <header className={styles.header}>
        <Container size="md">
          <Group justify="space-between" h={56} wrap="nowrap">
            <a href="/" className={styles.home}>
              <Logo />
            </a>
            <Badge className={styles.mode} tt="none" size="lg">
              Test mode
            </Badge>
          </Group>
        </Container>
      </header>
      <Container component="main" size="md" py="xl" className={styles.page}>
        <Contents path={path} />
      </Container>
    </>
  )
}

function Contents({ path }: { path: string }) {
  const page = useSandboxPage(path)
  if (page.isPending) return <Spinner label="Loading the payment" visibleLabel />
  if (page.error instanceof ApiError && page.error.code === 'checkout_not_found') {
    return <PaymentClosed />
  }
  if (page.isError) {
    return <LoadFailure what="The payment" error={page.error} onRetry={page.refetch} />
  }
  if (page.data.kind === 'pay') return <TestPayment page={page.data} path={path} />
  return page.data.kind === 'change' ? (
    <PlanChange page={page.data} path={path} />
  ) : (
    <Portal page={page.data} path={path} />
  )
}
