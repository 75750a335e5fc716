import { Anchor, Card, Stack, Title } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { Fragment, type ReactNode, useId } from 'react'
import pages from '../ui/page/page.module.css'
import { usePageTitle } from '../ui/page/page.tsx'
import styles from './billing.module.css'

/** A part of the page with its heading. */
export function Panel({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby={id}>
      <Stack>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </Card>
  )
}

export type BillLine = { what: ReactNode; amount: string; strong?: boolean }

/** Amounts line by line; the sum stands out. */
export function Bill({ lines }: { lines: BillLine[] }) {
  return (
    <dl className={styles.bill}>
      {lines.map(({ what, amount, strong }) => (
        <Fragment key={String(what)}>
          <dt data-strong={strong || undefined}>{what}</dt>
          <dd data-strong={strong || undefined}>{amount}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

type HeadProps = { title: string; backTo: string; back: string }

/** The head of a page of the sandbox: the way back, which leaves it for the app, and the title. */
export function PageHead({ title, backTo, back }: HeadProps) {
  usePageTitle(title)
  return (
    <div>
      {/* Paper shows no navigation. */}
      <nav aria-label="Back">
        <Anchor href={backTo} size="sm" className={pages.back} data-finger>
          <ArrowLeft size={16} aria-hidden />
          {back}
        </Anchor>
      </nav>
      <Title mt="lg">{title}</Title>
    </div>
  )
}
