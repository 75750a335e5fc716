import '../theme/mantine.css'
import './frame.css'
import '../theme/print.css'
import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { type ReactNode, useEffect } from 'react'
import { printInLight } from '../printing.ts'
import { brandColours, theme } from '../theme/theme.ts'

/** The theme of every screen, in light or dark as the visitor's system says. */
export function Frame({ children }: { children: ReactNode }) {
  useEffect(printInLight, [])
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
