import { ActionIcon, Button, Group, Title } from '@mantine/core'
import {
  Keyboard,
  type LucideIcon,
  QrCode,
  SearchX,
  TableProperties,
  Tag,
  Trash2,
  Upload,
} from 'lucide-react'
import type { Ref } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useMay } from '../../workspace.ts'
import { useTableExport } from './batch.ts'
import styles from './code-list.module.css'

/** For an account without codes. */
export function NoCodes({ onCreate }: { onCreate: () => void }) {
  const mayCreate = useMay('POST /api/qr-codes')
  return (
    <EmptyState
      icon={QrCode}
      title="No QR codes yet"
      text={
        mayCreate
          ? 'Get started by creating your first QR code'
          : 'Codes that others create in this workspace will show up here'
      }
      action={
        mayCreate && (
          <Button mt="sm" onClick={onCreate}>
            Create Your First QR Code
          </Button>
        )
      }
    />
  )
}

/** The account has codes, but none that the search or filter finds. */
export function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={SearchX}
      title="No QR codes match"
      text="Search by name, destination, custom URL or short code"
      action={
        <PlainButton mt="sm" onClick={onClear}>
          Clear search and filters
        </PlainButton>
      }
    />
  )
}

type Props = {
  titleRef: Ref<HTMLHeadingElement>
  /** There is something to export. */
  hasCodes: boolean
  onBin: () => void
  onTags: () => void
  onImport: () => void
  onShortcuts: () => void
}

/** The list's title takes the focus when the element that had it has left the page. */
export function ListHeader({ titleRef, hasCodes, onBin, onTags, onImport, onShortcuts }: Props) {
  const mayEdit = useMay('POST /api/tags')
  return (
    <Group gap={4} className={styles.header}>
      <Title order={2} size="h4" flex={1} id="your-codes" ref={titleRef} tabIndex={-1}>
        Your QR Codes
      </Title>
      <Tooltip label="Keyboard shortcuts">
        <ActionIcon
          size={36}
          className={styles.shortcuts}
          aria-label="Keyboard shortcuts"
          aria-keyshortcuts="?"
          onClick={onShortcuts}
        >
          <Keyboard size={18} />
        </ActionIcon>
      </Tooltip>
      <Group gap={4} className={styles.actions}>
        {mayEdit && (
          <>
            <Action label="Tags" icon={Tag} run={onTags} />
            <Action label="Import" icon={Upload} run={onImport} />
          </>
        )}
        {hasCodes && <Export />}
        {mayEdit && <Action label="Trash" icon={Trash2} run={onBin} />}
      </Group>
    </Group>
  )
}

type ActionProps = { label: string; icon: LucideIcon; busy?: boolean; run: () => void }

function Action({ label, icon: Icon, busy = false, run }: ActionProps) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="sm"
      px="xs"
      leftSection={<Icon size={16} />}
      aria-disabled={busy || undefined}
      onClick={run}
    >
      {label}
    </Button>
  )
}

/** Saves the codes that the list shows, all pages of it. */
function Export() {
  const { isPending, mutate } = useTableExport()
  return (
    <Action
      label="Export"
      icon={TableProperties}
      busy={isPending}
      run={() => isPending || mutate(window.location.search)}
    />
  )
}
