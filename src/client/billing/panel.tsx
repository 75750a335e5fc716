import { Anchor, Box, Group, Stack, Title } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import pages from '../ui/page/page.module.css'
import { usePageTitle } from '../ui/page/page.tsx'

type BillLine = { what: ReactNode; amount: string; strong?: boolean }

const STRONG = { mt: 4, pt: 12, fz: 'lg', fw: 600, style: { borderTop: '1px solid var(--line)' } }
const AMOUNT = { flexShrink: 0, fontVariantNumeric: 'tabular-nums' }

/** Amounts line by line; the sum stands out. */
export function Bill({ lines }: { lines: BillLine[] }) {
  return (
    <Stack component="dl" gap={8} fz="sm">
      {lines.map(({ what, amount, strong }) => (
        <Group
          key={String(what)}
          justify="space-between"
          align="flex-start"
          wrap="nowrap"
          {...(strong && STRONG)}
        >
          <dt>{what}</dt>
          <Box component="dd" style={AMOUNT}>
            {amount}
          </Box>
        </Group>
      ))}
    </Stack>
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
