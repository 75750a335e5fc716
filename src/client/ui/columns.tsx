import { Box } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'

type Props = {
  /** As in CSS; halves if not given */
  widths?: string
  /** The heights of rows, as in CSS */
  heights?: string
  rowGap?: 'md' | 'lg'
  isStacked: boolean
  children: ReactNode
}

/** Parts of a dialog beside each other, or one below the other where there is little room. */
export function Columns({ widths = HALVES, heights, rowGap = 'lg', isStacked, children }: Props) {
  const style = {
    gridTemplateColumns: isStacked ? 'minmax(0, 1fr)' : widths,
    gridTemplateRows: isStacked ? undefined : heights,
    gap: `var(--mantine-spacing-${rowGap}) var(--mantine-spacing-xl)`,
  }
  return (
    <Box display="grid" style={style}>
      {children}
    </Box>
  )
}

const HALVES = 'repeat(2, minmax(0, 1fr))'

/** Whether the window has room for one column only. Known from the first drawing on. */
export const useStacked = () =>
  useMediaQuery('(max-width: 40em)', false, { getInitialValueInEffect: false })
