import { type CSSVariablesResolver, createTheme, Modal } from '@mantine/core'

/** Waiting time before a tooltip shows. */
export const TOOLTIP_DELAY_MS = 700

/** Badges of what is well: white text on it has 5.4:1, which no shade of Mantine's green reaches. */
export const GOOD = '#237a35'
/** What may go wrong: white text on it has 5.9:1. */
export const DOUBTFUL = '#8f5200'
export const BAD = 'red.9'

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 8 },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  headings: { fontWeight: '650' },
  components: {
    Modal: Modal.extend({
      defaultProps: {
        closeButtonProps: { 'aria-label': 'Close' },
        // Mantine draws the bar as <header>, which would be a second banner of the page.
        attributes: { header: { role: 'presentation' } },
        styles: { title: { fontSize: 'var(--mantine-font-size-lg)', fontWeight: 650 } },
      },
    }),
  },
})

/** Mantine's own secondary text, error and placeholder colours fall short of 4.5:1 on our surfaces. */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#596069',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    '--mantine-color-placeholder': '#6b727a',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--mantine-color-body': '#fff',
  },
  dark: {
    '--mantine-color-dimmed': '#a9adb3',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-placeholder': '#989ca3',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
  },
})
