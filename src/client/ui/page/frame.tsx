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

/**
 * The styles are fetched with the script, but as a preload: as style sheets they would hold
 * up the shell's first paint. This makes style sheets of them, where they stand, and waits for them.
 */
export async function stylesArrived(): Promise<void> {
  const links = document.querySelectorAll<HTMLLinkElement>('link[data-styles]')
  await Promise.all(
    [...links].map((link) => {
      const arrived = new Promise((resolve) => {
        link.addEventListener('load', resolve, { once: true })
        link.addEventListener('error', resolve, { once: true })
      })
      link.rel = 'stylesheet'
      return arrived
    }),
  )
}
