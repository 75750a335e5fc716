import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { statusOf } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import { formatDay } from '../../formats.ts'
import { whilePrinting } from '../../ui/printing.ts'
import { hostOf, linkOf } from '../links.ts'
import { useOwner } from '../owner.ts'
import styles from './code-list.module.css'

const statusTexts = { active: 'Active', inactive: 'Inactive', expired: 'Expired' }

/** On paper the list has all that it found, not only the page on the screen. */
export function PrintedCodes({ codes }: { codes: readonly QrCode[] }) {
  const { hostUrl } = useOwner()
  const [isPrinting, setPrinting] = useState(false)
  // The browser prints what is there when its event returns.
  useEffect(() => whilePrinting((now) => flushSync(() => setPrinting(now))), [])
  if (!isPrinting) return null
  const now = new Date()
  return (
    <table className={styles.printed} hidden>
      <thead>
        <tr>
          {['QR Code', 'Short link', 'URL', 'Created', 'Status'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {codes.map((code) => (
          <tr key={code.id}>
            <td>{code.name}</td>
            <td>{hostOf(linkOf(hostUrl, code))}</td>
            <td>{code.url}</td>
            <td>{formatDay(code.createdAt)}</td>
            <td>{statusTexts[statusOf(code, now)]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
