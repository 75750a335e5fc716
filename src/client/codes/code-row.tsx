import { Anchor, Table, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { formatDay } from '../ui/dates.ts'
import { CodeActions } from './code-actions.tsx'
import { CodeStatus } from './code-status.tsx'
import styles from './code-table.module.css'
import { imageAddress, lookOf } from './image-address.ts'

const THUMBNAIL_PX = 48

type Props = {
  code: QrCode
  hostUrl: string
  renderScans: (code: QrCode) => ReactNode
  onEdit: (code: QrCode) => void
  onDelete: (code: QrCode) => void
}

export function CodeRow({ code, hostUrl, renderScans, onEdit, onDelete }: Props) {
  return (
    <Table.Tr role="row">
      <Table.Td role="cell">
        <div className={styles.code}>
          <Thumbnail code={code} />
          <div>
            <UnstyledButton className={styles.name} onClick={() => onEdit(code)}>
              {code.name}
            </UnstyledButton>
            <Text size="xs" c="dimmed">
              #{code.id.slice(0, 8)}
            </Text>
          </div>
        </div>
      </Table.Td>
      <Cell label="URL">
        <Anchor
          href={code.url}
          target="_blank"
          rel="noreferrer"
          size="sm"
          className={styles.url}
          title={code.url}
        >
          {code.url}
        </Anchor>
      </Cell>
      <Cell label="Stats">{renderScans(code)}</Cell>
      <Cell label="Created">
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {formatDay(code.createdAt)}
        </Text>
      </Cell>
      <Cell label="Status">
        <CodeStatus code={code} />
      </Cell>
      <Table.Td role="cell">
        <CodeActions code={code} hostUrl={hostUrl} onEdit={onEdit} onDelete={onDelete} />
      </Table.Td>
    </Table.Tr>
  )
}

function Cell({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Table.Td role="cell">
      <span className={styles.label} aria-hidden>
        {label}
      </span>
      {children}
    </Table.Td>
  )
}

/** The version in its address lets the browser keep it until the code looks otherwise. */
function Thumbnail({ code }: { code: QrCode }) {
  const kept = { size: String(THUMBNAIL_PX * 2), v: code.pictureVersion }
  return (
    <img
      src={imageAddress(code.id, 'png', lookOf(code), kept)}
      alt=""
      width={THUMBNAIL_PX}
      height={THUMBNAIL_PX}
      loading="lazy"
    />
  )
}
