import { Menu } from '@mantine/core'
import { ChevronDown, Link, Mail, Printer, Share2, TableProperties } from 'lucide-react'
import { useRef } from 'react'
import { Link as PageLink } from 'wouter'
import { copyText } from '../../files/clipboard.ts'
import { PlainButton } from '../../ui/plain-button.tsx'
import { useMay } from '../../workspace.ts'
import { openReport } from '../stats-address.ts'
import { DrawerMenu } from './drawer-menu.tsx'
import type { Asked } from './queries.ts'
import styles from './stats-drawer.module.css'
import { nounOf } from './words.ts'

type Props = Asked & {
  /** The code's name; undefined for all codes. */
  name: string | undefined
  onSaveScans: () => void
  onShare: () => void
}

/** The menu of all that can be done with the analytics that are shown. */
export function Actions({ name, view, onSaveScans, onShare }: Props) {
  const opener = useRef<HTMLButtonElement>(null)
  const mayShare = useMay('POST /api/analytics/shares')
  const mayChooseMails = useMay('PUT /api/analytics/mails')
  const print = () => {
    // The item goes with the menu: the report gives the focus back to what had it.
    opener.current?.focus()
    openReport()
  }
  return (
    <DrawerMenu
      minWidth={220}
      opener={
        <PlainButton
          ref={opener}
          size="xs"
          style={{ flexShrink: 0 }}
          rightSection={<ChevronDown size={14} />}
        >
          <span>
            Export<span className={styles.rest}> and share</span>
          </span>
        </PlainButton>
      }
    >
      <Menu.Item leftSection={<Link size={16} />} onClick={() => void copyView()}>
        Copy link to this view
      </Menu.Item>
      <Menu.Item leftSection={<Printer size={16} />} onClick={print}>
        Print report
      </Menu.Item>
      <Menu.Item leftSection={<TableProperties size={16} />} onClick={onSaveScans}>
        Download all {nounOf(view.kind)}s (CSV)
      </Menu.Item>
      {name !== undefined && mayShare && (
        <Menu.Item leftSection={<Share2 size={16} />} onClick={onShare}>
          Create a share link
        </Menu.Item>
      )}
      {mayChooseMails && (
        <Menu.Item
          component={PageLink}
          href="/profile?settings=notices"
          leftSection={<Mail size={16} />}
        >
          Email me reports
        </Menu.Item>
      )}
    </DrawerMenu>
  )
}

/** The view is in the address. */
const copyView = () =>
  copyText(
    window.location.href,
    'Link copied. It opens this view when you’re logged in.',
    'We couldn’t copy the link. Copy it from the address bar.',
  )
