import '../theme/mantine.css'
import './frame.css'
import '../theme/print.css'
import { MantineProvider } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Questions } from '../messages/confirm-dialog.tsx'
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
      {children}
      <Questions />
    </MantineProvider>
  )
}
