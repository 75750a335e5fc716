import { Anchor, Checkbox, type CheckboxProps, Table, Text, UnstyledButton } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { lookOf } from '#contract/pictures.ts'
import { formatDay } from '../../ui/formats.ts'
import { openCode } from '../code-address.ts'
import { imageAddress } from '../image-address.ts'
import { type ActionsProps, CodeActions } from './code-actions.tsx'
import { CodeStatus } from './code-status.tsx'
import styles from './code-table.module.css'

const THUMBNAIL_PX = 48

export type RowProps = ActionsProps & { renderScans: (code: QrCode) => ReactNode }

type Props = RowProps & {
  code: QrCode
  isSelected: boolean
  onSelect: (code: QrCode, isRange: boolean) => void
}

/** Drawn again only when its code or its tick changes: its other props keep their identity. */
export const CodeRow = memo(function CodeRow(props: Props) {
  const { code, isSelected, onSelect, renderScans, ...row } = props
  return (
    <Table.Tr role="row" data-selected={isSelected || undefined}>
      <Table.Td role="cell" className={styles.tick}>
        <Tick
          aria-label={`Select ${code.name}`}
          checked={isSelected}
          onChange={({ nativeEvent }) =>
            onSelect(code, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </Table.Td>
      <Table.Td role="cell">
        <div className={styles.code}>
          <Thumbnail code={code} />
          <div>
            <UnstyledButton
              className={styles.name}
              title={code.name}
              onClick={() => openCode(code.id)}
            >
              <span>{code.name}</span>
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
        <CodeActions code={code} {...row} />
      </Table.Td>
    </Table.Tr>
  )
})

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

/** The version in the address lets the browser cache the picture until the code looks different. */
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

/** The checkbox of a row. On a touch screen the space around it ticks it too. */
export function Tick(props: CheckboxProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: its control is Mantine's checkbox, which has a name of its own
    <label className={styles.finger}>
      <Checkbox {...props} />
    </label>
  )
}
