import { Card, Stack, type StackProps, Title } from '@mantine/core'
import { type ReactNode, useId, useRef } from 'react'
import { useKeptFocus } from './focus.ts'
import { Quiet } from './quiet.tsx'

export type SectionProps = {
  title: string
  text?: ReactNode
  align?: StackProps['align']
  children?: ReactNode
}

/** A card of a page, with its heading and its explanation. */
export function Section({ title, text, align = 'flex-start', children }: SectionProps) {
  const id = useId()
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  return (
    <Card withBorder padding="lg" component="section" aria-labelledby={id} ref={area} tabIndex={-1}>
      <Stack align={align}>
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
