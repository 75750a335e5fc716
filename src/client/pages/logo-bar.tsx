import { Box, Container, Group } from '@mantine/core'
import type { ReactNode } from 'react'
import { Logo } from '../ui/page/logo.tsx'

type Props = { size: number | string; children: ReactNode }

const HOME = { display: 'flex', color: 'inherit', textDecoration: 'none' }

/** The head of a page without an account: the way home, and a word on the page. */
export function LogoBar({ size, children }: Props) {
  return (
    <Box component="header" bg="var(--panel)" style={{ borderBottom: '1px solid var(--line)' }}>
      <Container size={size}>
        <Group justify="space-between" wrap="nowrap" h={56}>
          <a href="/" style={HOME}>
            <Logo />
          </a>
          {children}
        </Group>
      </Container>
    </Box>
  )
}
