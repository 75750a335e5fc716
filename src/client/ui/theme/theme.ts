import { Button, Card, type CSSVariablesResolver, createTheme } from '@mantine/core'
import { night, stone, verdigris } from './palette.ts'

/** Badges of what is well, of what may go wrong and of what is wrong: white text on each has 5.9:1 or more. */
export const GOOD = 'verdigris.8'
export const DOUBTFUL = '#8a5300'
export const BAD = '#b3261e'
/** The same for text, lines and icons on our surfaces: lighter in the dark. */
export const BAD_TEXT = 'var(--bad)'

export const theme = createTheme({
  colors: { verdigris, gray: stone, dark: night },
  primaryColor: 'verdigris',
  primaryShade: { light: 8, dark: 7 },
  black: stone[9],
  fontFamily: 'var(--font-text)',
  headings: {
    fontFamily: 'var(--font-display)',
    fontWeight: '700',
    sizes: {
      h1: { fontSize: '1.625rem', lineHeight: '1.35' },
      h2: { fontSize: '1.375rem', lineHeight: '1.4' },
      h3: { fontSize: '1.125rem', lineHeight: '1.45' },
    },
  },
  defaultRadius: 'md',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // By their names, not imported: a page loads only what it draws.
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    // Clipped, not hidden: what sticks to the window's edge sticks inside a card as well.
    Card: Card.extend({
      defaultProps: { radius: 12 },
      styles: { root: { overflow: 'clip', background: 'var(--panel)' } },
    }),
    // The kit's hairline is for cards: a button has to show on one.
    Button: Button.extend({
      vars: (_theme, { variant }) => ({
        root: variant === 'default' ? { '--button-bd': '1px solid var(--edge)' } : {},
      }),
    }),
    // Only items are children of a menu: the kit's placeholder for the focus is none.
    Menu: {
      defaultProps: {
        shadow: 'md',
        transitionProps: { duration: 0 },
        withInitialFocusPlaceholder: false,
      },
    },
    Paper: { styles: { root: { background: 'var(--panel)' } } },
    Alert: { styles: { root: { background: 'var(--panel)' } } },
    // Its track shows on the page as well as on a card.
    SegmentedControl: {
      styles: { root: { background: 'var(--tint)' }, indicator: { background: 'var(--raised)' } },
    },
    ModalCloseButton: { defaultProps: { 'aria-label': 'Close' } },
    // Applies to each dialog, also to those that compose their own.
    ModalRoot: {
      defaultProps: {
        // Mantine draws the bar as <header>, which would be a second banner of the page.
        attributes: { header: { role: 'presentation' } },
        styles: {
          title: {
            fontFamily: 'var(--font-display)',
            fontSize: 'var(--mantine-font-size-xl)',
            fontWeight: 700,
            lineHeight: 1.25,
            // A long name is not wider than the dialog.
            minWidth: 0,
            overflowWrap: 'anywhere',
          },
        },
      },
    },
  },
})

/** Colours that the kit sets for each scheme: its own secondary text and errors fall short of 4.5:1 here. */
const ours = {
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-body': 'var(--panel)',
  '--mantine-color-dimmed': 'var(--quiet)',
  '--mantine-color-placeholder': 'var(--quiet)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-anchor': 'var(--accent-text)',
  '--mantine-color-default-border': 'var(--line)',
}

export const brandColours: CSSVariablesResolver = () => ({
  variables: {},
  light: ours,
  dark: {
    ...ours,
    // A button on a card must not look like the card.
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-hover': 'var(--raised-hover)',
  },
})
