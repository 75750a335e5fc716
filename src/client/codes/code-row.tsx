import { Anchor, Badge, Table, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { type QrCode, statusOf } from '#contract/codes.ts'
import { formatDay } from '../ui/dates.ts'
import { GOOD } from '../ui/theme.ts'
import { CodeActions } from './code-actions.tsx'
import styles from './code-table.module.css'
import { endOf } from './expiry.ts'
import { imageAddress, lookOf } from './image-address.ts'
import { pathOf } from './links.ts'

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
        <Status code={code} />
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

/** `t` changes with whatever else the picture shows, so that no cache keeps an old one. */
function Thumbnail({ code }: { code: QrCode }) {
  const size = { size: String(THUMBNAIL_PX * 2), t: pathOf(code) }
  return (
    <img
      src={imageAddress(code.id, 'png', lookOf(code), size)}
      alt=""
      width={THUMBNAIL_PX}
      height={THUMBNAIL_PX}
      loading="lazy"
    />
  )
}

const badges = {
  active: { text: 'Active', color: GOOD },
  inactive: { text: 'Inactive', color: 'gray.7' },
  expired: { text: 'Expired', color: 'red.9' },
}

function Status({ code }: { code: QrCode }) {
  const now = new Date()
  const { text, color } = badges[statusOf(code, now)]
  const end = endOf(code, now)
  return (
    <div>
      <Badge color={color} tt="none">
        {text}
      </Badge>
      {end && (
        <Text size="xs" c="dimmed" mt={4}>
          {end}
        </Text>
      )}
    </div>
  )
}
