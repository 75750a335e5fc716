import { Menu } from '@mantine/core'
import type { ReactElement, ReactNode } from 'react'

type Props = { opener: ReactElement; minWidth: number; children: ReactNode }

/** A menu of the drawer, within its dialog: screen readers hide everything beside that. */
export function DrawerMenu({ opener, minWidth, children }: Props) {
  return (
    <Menu withinPortal={false} position="bottom-end" offset={4}>
      <Menu.Target>{opener}</Menu.Target>
      <Menu.Dropdown miw={minWidth}>{children}</Menu.Dropdown>
    </Menu>
  )
}
