import { ChevronDown, Download } from 'lucide-react'
import { type MouseEvent, useState } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import { askFirst } from '../../ui/messages/confirm-dialog.tsx'
import { downloadCode, type FileKind, labelOf, useUsualKind } from '../files.ts'
import styles from './code-table.module.css'
import { unreadableQuestion } from './questions.tsx'

/** A menu of a row, at the button that opened it. */
export type OpenedMenu = { kind: 'formats' | 'actions'; id: string; button: HTMLElement }

type Props = { code: QrCode; onMenu: (menu: OpenedMenu) => void }

/** Downloads a code, after a question if no phone could read it. */
export async function downloadAsked(code: QrCode, kind: FileKind): Promise<void> {
  await askFirst(unreadableQuestion([code]), () => downloadCode(code, kind))
}

/** One click downloads the usual file. Everything else is in two menus, which the whole list shares. */
export function CodeActions({ code, onMenu }: Props) {
  const { usual } = useUsualKind()
  const [busy, setBusy] = useState(false)
  const opens =
    (kind: OpenedMenu['kind']) =>
    ({ currentTarget }: MouseEvent<HTMLButtonElement>) =>
      onMenu({ kind, id: code.id, button: currentTarget })
  const run = async () => {
    if (busy) return
    setBusy(true)
    await downloadAsked(code, usual)
    setBusy(false)
  }
  const label = labelOf(usual)
  return (
    <div className={styles.actions}>
      <div className={styles.split}>
        <button
          type="button"
          aria-label={`Download ${code.name}`}
          aria-disabled={busy}
          onClick={run}
        >
          <Download size={16} />
          Download
        </button>
        <button
          type="button"
          {...menuButton}
          aria-label={`${label}, formats for ${code.name}`}
          onClick={opens('formats')}
        >
          {label}
          <ChevronDown size={14} />
        </button>
      </div>
      <button
        type="button"
        {...menuButton}
        aria-label={`More for ${code.name}`}
        onClick={opens('actions')}
      >
        More
        <ChevronDown size={14} />
      </button>
    </div>
  )
}

/** The menu itself says when it is open. */
const menuButton = { 'aria-haspopup': 'menu', 'aria-expanded': false } as const
