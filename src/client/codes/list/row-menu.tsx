import { Menu } from '@mantine/core'
import {
  ChartNoAxesColumn,
  Check,
  CopyPlus,
  ExternalLink,
  FolderDown,
  History,
  Link,
  type LucideIcon,
  Pause,
  Pencil,
  Play,
  RotateCcw,
  ScanSearch,
  Share,
  Split,
  Trash2,
} from 'lucide-react'
import { type Ref, useEffect, useLayoutEffect } from 'react'
import { isExpired } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { CONTENT_ID } from '../../ui/page/page.tsx'
import { useMay } from '../../workspace.ts'
import { historyAddress, openCode, printAddress, rulesAddress } from '../addresses.ts'
import { fileKinds, useUsualKind } from '../files.ts'
import { canShare, copyLink, linkOf, shareLink } from '../links.ts'
import { useOwner } from '../owner.ts'
import { useDuplicate, useRevive, useSetActive } from '../queries.ts'
import { downloadAsked, type OpenedMenu } from './code-actions.tsx'

type Props = {
  /** Null while no menu is open. */
  opened: OpenedMenu | null
  codes: readonly QrCode[]
  onClose: () => void
  onStats: (id: string) => void
  onDelete: (code: QrCode) => void
  onDuplicated: (copy: QrCode) => void
}

/**
 * The menus of all rows are this one, which moves to the button that opens it: a list of 25 rows has
 * no 50 menus to draw.
 */
export function RowMenu({ opened, codes, onClose, onDuplicated, ...more }: Props) {
  const code = codes.find(({ id }) => id === opened?.id)
  const button = opened?.button
  useEffect(() => {
    button?.setAttribute('aria-expanded', 'true')
    return () => button?.setAttribute('aria-expanded', 'false')
  }, [button])
  const close = () => {
    // The chosen item may open a dialog, which gives the focus back to the former place.
    if (document.activeElement?.closest('[role=menu]')) button?.focus({ preventScroll: true })
    onClose()
  }
  const duplicate = useDuplicate()
  const onDuplicate = (original: QrCode) => {
    if (!duplicate.isPending) duplicate.mutate(original, { onSuccess: onDuplicated })
  }
  return (
    <Menu
      opened={opened !== null && code !== undefined}
      onChange={(isOpen) => isOpen || close()}
      closeOnItemClick={false}
      returnFocus={false}
      {...WITHOUT_ROLES}
      // Within the page's landmark
      portalProps={{ target: `#${CONTENT_ID}` }}
      position="bottom-end"
      offset={4}
      middlewares={WHOLLY_SEEN}
    >
      <Menu.Target>
        <At element={button} />
      </Menu.Target>
      {opened && code && (
        <Menu.Dropdown
          miw={180}
          aria-label={
            opened.kind === 'formats' ? `Formats for ${code.name}` : `More for ${code.name}`
          }
        >
          {opened.kind === 'formats' ? (
            <Formats code={code} close={close} />
          ) : (
            <Actions code={code} close={close} onDuplicate={onDuplicate} {...more} />
          )}
        </Menu.Dropdown>
      )}
    </Menu>
  )
}

/** Else the menu would be named by a button of the kit's own. Its types leave out what its Popover takes. */
const WITHOUT_ROLES = { withRoles: false }

/** On a phone neither side of a button has room for all items, so the menu may lie over the button. */
const WHOLLY_SEEN = { flip: true, shift: { crossAxis: true, padding: 8 } }

/** Stands for the button of a row, which is drawn elsewhere. */
function At({ element, ref }: { element: HTMLElement | undefined; ref?: Ref<HTMLElement> }) {
  useLayoutEffect(() => {
    if (typeof ref === 'function') ref(element ?? null)
  }, [element, ref])
  return null
}

type PartProps = { code: QrCode; close: () => void }

function Formats({ code, close }: PartProps) {
  const { usual, setUsual } = useUsualKind()
  return fileKinds.map(({ kind, label }) => (
    <Menu.Item
      key={kind}
      aria-label={`Download ${code.name} as ${label}`}
      rightSection={kind === usual && <Check size={16} color="var(--accent-text)" />}
      onClick={() => {
        close()
        setUsual(kind)
        void downloadAsked(code, kind)
      }}
    >
      {label}
    </Menu.Item>
  ))
}

type ActionsProps = PartProps &
  Pick<Props, 'onStats' | 'onDelete'> & { onDuplicate: (code: QrCode) => void }

function Actions({ code, close, onStats, onDelete, onDuplicate }: ActionsProps) {
  const { tier, hostUrl } = useOwner()
  const setActive = useSetActive()
  const revive = useRevive()
  const mayEdit = useMay('PATCH /api/qr-codes/:id')
  const { id, name, isActive } = code
  const link = linkOf(hostUrl, code)
  const about = (label: string, Icon: LucideIcon) => ({
    leftSection: <Icon size={16} />,
    'aria-label': `${label} ${name}`,
    children: label,
  })
  const item = (label: string, icon: LucideIcon, run: () => void, color?: string) => {
    const onClick = () => {
      close()
      run()
    }
    return <Menu.Item {...about(label, icon)} color={color} onClick={onClick} />
  }
  /** Opens a page in a tab of its own: what a visitor sees, which counts as a scan, or the destination. */
  const opening = (label: string, href: string) => (
    <Menu.Item
      {...about(label, ExternalLink)}
      component="a"
      href={href}
      target="_blank"
      rel="noreferrer"
      onClick={close}
    />
  )
  return (
    <>
      {mayEdit && item('Edit', Pencil, () => openCode(id))}
      {mayEdit && item('Rules and limits', Split, () => rulesAddress.open(id))}
      {item('Analytics', ChartNoAxesColumn, () => onStats(id))}
      {item('History', History, () => historyAddress.open(id))}
      {item('Copy link', Link, () => copyLink(link))}
      {canShare() && item('Share link', Share, () => shareLink(link, code.name))}
      {opening('Open short link', link)}
      {opening('Open destination', code.url)}
      <Menu.Divider />
      {item('Download all as zip', FolderDown, () => void downloadAsked(code, 'zip'))}
      {mayEdit && (
        <>
          {item('Check a print', ScanSearch, () => printAddress.open(id))}
          {item('Duplicate', CopyPlus, () => onDuplicate(code))}
          <Menu.Divider />
          {isActive &&
            isExpired(code, new Date()) &&
            tier !== 'free' &&
            item('Reactivate', RotateCcw, () => revive.mutate(id))}
          {item(isActive ? 'Pause' : 'Resume', isActive ? Pause : Play, () =>
            setActive.mutate({ id, isActive: !isActive }),
          )}
          {item('Delete', Trash2, () => onDelete(code), 'var(--bad)')}
        </>
      )}
    </>
  )
}
