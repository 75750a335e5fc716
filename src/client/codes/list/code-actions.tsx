import { ActionIcon } from '@mantine/core'
import {
  CopyPlus,
  ExternalLink,
  FolderDown,
  Link,
  type LucideIcon,
  Pause,
  Pencil,
  Play,
  Trash2,
} from 'lucide-react'
import type { QrCode } from '#contract/codes.ts'
import { confirm } from '../../ui/confirm-dialog.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { openCode } from '../code-address.ts'
import { copyLink } from '../copy-link.ts'
import { download, zipName } from '../download.ts'
import { zipAddress } from '../image-address.ts'
import { linkOf, pathOf } from '../links.ts'
import { useDuplicate, useSetActive } from '../queries.ts'
import styles from './code-table.module.css'
import { unreadableQuestion } from './questions.tsx'

/** The same for every row. */
export type ActionsProps = {
  hostUrl: string
  onDelete: (code: QrCode) => void
}

type Props = ActionsProps & { code: QrCode }

export function CodeActions({ code, hostUrl, onDelete }: Props) {
  const { id, name, isActive } = code
  const setActive = useSetActive()
  const duplicate = useDuplicate()
  const link = linkOf(hostUrl, pathOf(code))
  const downloadZip = () => download(zipAddress(id), zipName(name))
  const question = unreadableQuestion([code])
  return (
    <div className={styles.actions}>
      <Action label="Edit" icon={Pencil} run={() => openCode(id)} />
      <Action label="Copy link" icon={Link} run={() => copyLink(link)} />
      <OpenLink href={link} />
      <Action
        label="Duplicate"
        icon={CopyPlus}
        busy={duplicate.isPending}
        run={() => duplicate.mutate(code)}
      />
      <Action
        label="Download all as zip"
        icon={FolderDown}
        run={() =>
          question ? confirm({ ...question, onGo: () => void downloadZip() }) : downloadZip()
        }
      />
      <Action
        label={isActive ? 'Pause' : 'Resume'}
        icon={isActive ? Pause : Play}
        busy={setActive.isPending}
        run={() => setActive.mutate({ id, isActive: !isActive })}
      />
      <Action label="Delete" icon={Trash2} className={styles.grave} run={() => onDelete(code)} />
    </div>
  )
}

/** Opens the page that a visitor sees. It counts as a scan. */
function OpenLink({ href }: { href: string }) {
  return (
    <Tooltip label="Open">
      <ActionIcon
        component="a"
        href={href}
        target="_blank"
        rel="noreferrer"
        variant="subtle"
        color="gray"
        size={36}
        aria-label="Open link"
      >
        <ExternalLink size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

type ActionProps = {
  label: string
  icon: LucideIcon
  run: () => void
  busy?: boolean
  className?: string
}

function Action({ label, icon: Icon, run, busy = false, className }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        className={className}
        aria-label={label}
        aria-disabled={busy}
        onClick={() => busy || run()}
      >
        <Icon size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
