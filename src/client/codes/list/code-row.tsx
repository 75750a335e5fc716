import { Copy, CornerDownRight } from 'lucide-react'
import { type ComponentProps, memo, type ReactNode, useEffect, useRef } from 'react'
import { isExpired, statusOf } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { counted, formatDay } from '../../formats.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { endingOf, WayBack } from '../ending.tsx'
import { imageAddress } from '../files.ts'
import { copyLink, hostOf, linkOf } from '../links.ts'
import { useOwner } from '../owner.ts'
import { scanVerdicts } from '../scan-verdicts.ts'
import { TagChips } from '../tags/tag-chips.tsx'
import thumbnail from '../thumbnail.module.css'
import { CodeActions, type OpenedMenu } from './code-actions.tsx'
import styles from './code-table.module.css'
import { DestinationHealth } from './destination-health.tsx'

const THUMBNAIL_PX = 48

/** The same for every row. */
export type RowProps = {
  onMenu: (menu: OpenedMenu) => void
  /** Opens what the name of a code leads to, by its id. */
  onOpen: (id: string) => void
  renderScans: (code: QrCode) => ReactNode
}

type Props = RowProps & {
  code: QrCode
  isSelected: boolean
  onSelect: (code: QrCode, isRange: boolean) => void
}

/**
 * Drawn again only when its code or its tick changes: its other props keep their identity. Its elements
 * are plain: a component of the kit for each would keep a slow phone busy with a list of twenty-five.
 */
export const CodeRow = memo(function CodeRow(props: Props) {
  const { code, isSelected, onSelect, onOpen, renderScans, onMenu } = props
  return (
    <tr role="row" data-selected={isSelected || undefined}>
      <td role="cell" className={styles.tick}>
        <Tick
          aria-label={`Select ${code.name}`}
          checked={isSelected}
          onChange={({ nativeEvent }) =>
            onSelect(code, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
        />
      </td>
      <td role="cell">
        <div className={styles.code}>
          <Thumbnail code={code} />
          <div>
            <button
              type="button"
              className={styles.name}
              data-finger
              title={code.name}
              onClick={() => onOpen(code.id)}
            >
              <span>{code.name}</span>
            </button>
            <div className={styles.quiet}>#{code.id.slice(0, 8)}</div>
            <ShortLink code={code} />
            {code.tags.length > 0 && <TagChips tags={code.tags} />}
          </div>
        </div>
      </td>
      <td role="cell">
        {/* The row's menu opens it too: so a row has one place less to tab through. */}
        <a
          href={code.url}
          target="_blank"
          rel="noreferrer"
          tabIndex={-1}
          className={styles.url}
          data-finger
          title={code.url}
          aria-label={code.url}
        >
          <CornerDownRight size={14} className={styles.leads} />
          <ShownUrl url={code.url} />
        </a>
      </td>
      <Cell label="Stats">{renderScans(code)}</Cell>
      <Cell label="Created" className={styles.wide}>
        <div style={ONE_LINE}>{formatDay(code.createdAt)}</div>
      </Cell>
      <Cell label="Status" className={styles.status}>
        <CodeStatus code={code} />
      </Cell>
      <td role="cell">
        <CodeActions code={code} onMenu={onMenu} />
      </td>
    </tr>
  )
})

const ONE_LINE = { whiteSpace: 'nowrap' } as const

type CellProps = { label: string; className?: string | undefined; children: ReactNode }

function Cell({ label, className, children }: CellProps) {
  return (
    <td role="cell" className={className}>
      <span className={styles.label}>{label}</span>
      {children}
    </td>
  )
}

/** The code's short link, with a button that copies it. */
function ShortLink({ code }: { code: QrCode }) {
  const link = linkOf(useOwner().hostUrl, code)
  return (
    <div className={styles.link}>
      <span className={styles.address} title={link}>
        <bdi>{hostOf(link)}</bdi>
      </span>
      <Tooltip label="Copy link">
        <button
          type="button"
          className={styles.copy}
          aria-label={`Copy link of ${code.name}`}
          onClick={() => copyLink(link)}
        >
          <Copy size={14} />
          <span className={styles.word}>Copy</span>
        </button>
      </Tooltip>
    </div>
  )
}

/** The version in the address lets the browser cache the picture until the code looks different. */
function Thumbnail({ code }: { code: QrCode }) {
  const kept = { size: String(THUMBNAIL_PX * 2), v: code.pictureVersion }
  return (
    <img
      src={imageAddress(code.id, 'png', lookOf(code), kept)}
      alt=""
      className={thumbnail.picture}
      width={THUMBNAIL_PX}
      height={THUMBNAIL_PX}
      loading="lazy"
    />
  )
}

/** Most codes work: only one that has stopped stands out. */
const badges = {
  active: { text: 'Active', className: styles.well },
  inactive: { text: 'Inactive', className: styles.resting },
  expired: { text: 'Expired', className: styles.ended },
}

/** Whether a code works and until when, with a warning if it may not scan. */
export function CodeStatus({ code }: { code: QrCode }) {
  const now = new Date()
  const status = statusOf(code, now)
  const { text, className } = badges[status]
  const ending = endingOf(code, now)
  const limits = limitsText(code)
  return (
    <div>
      <span className={`${styles.badge} ${className}`}>{text}</span>
      {code.startsAt && now < new Date(code.startsAt) && (
        <div className={styles.quiet}>
          Starts on <span style={ONE_LINE}>{formatDay(code.startsAt)}</span>
        </div>
      )}
      {ending && (
        <div className={styles.quiet}>
          {ending.verb} <span style={ONE_LINE}>{ending.day}</span>
        </div>
      )}
      {limits && <div className={styles.quiet}>{limits}</div>}
      {status === 'expired' && isExpired(code, now) && <WayBack code={code} />}
      {code.health && status === 'active' && <DestinationHealth health={code.health} />}
      {code.legibility && status !== 'expired' && <ScanWarning verdict={code.legibility} />}
    </div>
  )
}

/** Limits beside the dates, and the number of rules: "Up to 1,000 scans · Password · 2 rules" */
function limitsText({ scanLimit, hasPassword, rules }: QrCode): string {
  const all = [
    scanLimit !== null && `Up to ${counted(scanLimit, 'scan')}`,
    hasPassword && 'Password',
    rules.length > 0 && counted(rules.length, 'rule'),
  ]
  return all.filter(Boolean).join(' · ')
}

function ScanWarning({ verdict }: { verdict: NonNullable<QrCode['legibility']> }) {
  const { icon: Icon, warning } = scanVerdicts[verdict]
  if (!warning) return null
  return (
    <span className={styles.warning} data-verdict={verdict}>
      <Icon size={13} />
      {warning}
    </span>
  )
}

type TickProps = Omit<ComponentProps<'input'>, 'type' | 'className'> & { indeterminate?: boolean }

/**
 * The checkbox of a row. On a touch screen the space around it ticks it too. Not Mantine's, which
 * draws itself twice: a list of twenty-five keeps a slow phone busy with that.
 */
export function Tick({ indeterminate = false, ...props }: TickProps) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <label className={styles.finger}>
      <input ref={box} type="checkbox" className={styles.box} {...props} />
    </label>
  )
}

/** Characters of the end that always show: codes often differ only there. */
const END = 14

/** A destination without its scheme, cut in its middle if it is longer than its place. */
export function ShownUrl({ url }: { url: string }) {
  const text = hostOf(shownAddress(url)).replace(/^([^/]+)\/$/, '$1')
  return (
    <bdi className={styles.shown} data-end={[...text].slice(-END).join('')}>
      <span>{text}</span>
    </bdi>
  )
}
