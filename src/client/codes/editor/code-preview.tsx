import { ActionIcon, Badge, Text } from '@mantine/core'
import { Link, QrCode as QrCodeIcon } from 'lucide-react'
import { statusOf } from '#contract/code-values.ts'
import type { QrCode } from '#contract/codes.ts'
import type { Legibility } from '#qr/scan-check/verdict.ts'
import type { Look } from '#qr/symbol/look.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { verdictTexts } from '../../verdict-text.ts'
import { copyLink } from '../copying.ts'
import { hostOf } from '../links.ts'
import { useLegibility } from '../queries.ts'
import { scanVerdicts } from '../scan-verdicts.ts'
import styles from './code-form.module.css'

type Props = {
  code: QrCode | undefined
  /** The draft was refused, or the code is gone: there is nothing to wait for. */
  failed: boolean
  picture: string | undefined
  /** The look that the values have settled on */
  look: Look
  link: string
  /** A link can be copied once it works. 'waiting': the typed custom path is not saved yet. */
  copy: 'ready' | 'waiting' | 'none'
}

export function CodePreview({ code, failed, picture, look, link, copy }: Props) {
  if (failed) {
    return (
      <div className={styles.frame}>
        <QrCodeIcon size={72} strokeWidth={1} className={styles.none} aria-hidden />
      </div>
    )
  }
  if (!code) {
    return (
      <div className={styles.waiting}>
        <div className={styles.frame}>
          <Spinner label="Generating QR code..." visibleLabel />
        </div>
      </div>
    )
  }
  return (
    <div>
      <figure className={styles.figure}>
        <div className={styles.frame}>
          {picture && (
            <img
              src={picture}
              alt="QR code preview"
              width={240}
              height={240}
              data-transparent={look.artwork?.transparent || undefined}
            />
          )}
        </div>
        <figcaption className={styles.caption}>
          <Text component="span" size="sm">
            {hostOf(link)}
          </Text>
          {copy !== 'none' && <CopyLink link={link} disabled={copy === 'waiting'} />}
        </figcaption>
      </figure>
      {statusOf(code, new Date()) !== 'expired' && <ScanCheck code={code} look={look} />}
    </div>
  )
}

function CopyLink({ link, disabled }: { link: string; disabled: boolean }) {
  return (
    <Tooltip label="Copy link">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label="Copy link"
        disabled={disabled}
        onClick={() => copyLink(link)}
      >
        <Link size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}

/**
 * Says whether the picture above will scan, and why. It only advises: if the check fails, nothing is
 * shown. The status is mounted from the start, so that screen readers announce every verdict.
 */
export function ScanCheck({ code, look }: { code: QrCode; look: Look }) {
  const { data, isPlaceholderData } = useLegibility(code, look)
  return (
    <div role="status" className={styles.check} aria-busy={isPlaceholderData}>
      {data && <Verdict legibility={data} />}
    </div>
  )
}

function Verdict({ legibility: { verdict, reason } }: { legibility: Legibility }) {
  const { color, icon: Icon } = scanVerdicts[verdict]
  return (
    <>
      <Badge color={color} tt="none" leftSection={<Icon size={12} aria-hidden />}>
        {verdictTexts[verdict]}
      </Badge>
      <Text size="sm" mt={6}>
        {reason}
      </Text>
    </>
  )
}
