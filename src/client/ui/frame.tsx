import './mantine.css'
import './frame.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import type { ReactNode } from 'react'
import { brandColours, theme } from './theme.ts'

/** The theme of every screen, in light or dark as the visitor's system says. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      cssVariablesResolver={brandColours}
      deduplicateInlineStyles
    >
      <ModalsProvider>{children}</ModalsProvider>
    </MantineProvider>
  )
}
