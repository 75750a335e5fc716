import { Button, Card, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useId, useRef } from 'react'
import { Link } from 'wouter'
import { useKeptFocus } from '../../ui/focus.ts'
import { Quiet } from '../../ui/quiet.tsx'

type Props = { title: string; text?: ReactNode; children?: ReactNode }

/** One setting, with its heading and its explanation. */
export function Section({ title, text, children }: Props) {
  const id = useId()
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby={id} ref={area} tabIndex={-1}>
      <Stack align="flex-start">
        <div>
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          {text && <Quiet mt={4}>{text}</Quiet>}
        </div>
        {children}
      </Stack>
    </Card>
  )
}

/** Leads to the plans that have what this section sets. */
export function NotInPlan({ children }: { children: ReactNode }) {
  return (
    <>
      <Text size="sm">{children}</Text>
      <Button component={Link} href="/subscription" size="sm">
        See plans
      </Button>
    </>
  )
}
