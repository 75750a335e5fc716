import { ActionIcon, Badge, Box, Center, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { Link, QrCode as QrCodeIcon } from 'lucide-react'
import { useMemo, useRef } from 'react'
import { statusOf } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import { useDrawn } from '../../drawing/drawn-symbol.ts'
import { verdictTexts } from '../../drawing/verdict-text.ts'
import type { Values } from '../../kept-form.ts'
import { useStacked } from '../../ui/columns.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { imageAddress } from '../files.ts'
import { copyLink, hostOf } from '../links.ts'
import { useLegibility } from '../queries.ts'
import { scanVerdicts } from '../scan-verdicts.ts'
import { isDrawable } from './artwork/artwork-form.ts'
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
  const isStacked = useStacked()
  const shown = failed ? undefined : code
  return (
    // As high as the picture with its link and verdict: nothing jumps when they appear.
    <Box mih={failed || code ? undefined : 404}>
      <Box component={shown ? 'figure' : 'div'} m={0}>
        {/* On a phone name, destination, picture and Save are in view at once. */}
        <Center
          mih={isStacked ? 0 : 264}
          p={12}
          bd="1px solid var(--line)"
          bdrs="md"
          bg="var(--tint)"
        >
          {failed && <QrCodeIcon size={72} strokeWidth={1} color="var(--edge)" />}
          {!failed && !code && <Spinner label="Generating QR code..." visibleLabel />}
          {shown && picture && (
            <Box
              component="img"
              src={picture}
              alt="QR code preview"
              width={240}
              height={240}
              w={isStacked ? 200 : undefined}
              h={isStacked ? 200 : 'auto'}
              maw="100%"
              bdrs={4}
              className={look.artwork?.transparent ? styles.transparent : undefined}
              style={{ objectFit: 'contain' }}
            />
          )}
        </Center>
        {shown && (
          <Center
            component="figcaption"
            mih={32}
            mt={8}
            ta="center"
            style={{ gap: 4, overflowWrap: 'anywhere' }}
          >
            <Text component="span" size="sm">
              {hostOf(link)}
            </Text>
            {copy !== 'none' && (
              <Tooltip label="Copy link">
                <ActionIcon
                  size={32}
                  aria-label="Copy link"
                  disabled={copy === 'waiting'}
                  onClick={() => copyLink(link)}
                >
                  <Link size={16} />
                </ActionIcon>
              </Tooltip>
            )}
          </Center>
        )}
      </Box>
      {shown && statusOf(shown, new Date()) !== 'expired' && <ScanCheck code={shown} look={look} />}
    </Box>
  )
}

/** The verdict describes Save and every download for screen readers. */
export const VERDICT_ID = 'scan-verdict'

/**
 * Says whether the picture above will scan, and why. It only advises: if the check fails, nothing is
 * shown. The status is mounted from the start, so that screen readers announce every verdict.
 */
function ScanCheck({ code, look }: { code: QrCode; look: Look }) {
  const { data, isPlaceholderData } = useLegibility(code, look)
  const { color, icon: Icon } = scanVerdicts[data?.verdict ?? 'good']
  // The last look's verdict, until the new one arrives: grey, and as readable.
  const filter = isPlaceholderData ? 'grayscale(1)' : undefined
  return (
    // As high as most verdicts: nothing below moves when one arrives.
    <Box role="status" mih={88} mt={8} ta="center" aria-busy={isPlaceholderData} style={{ filter }}>
      {data && (
        <>
          <Badge id={VERDICT_ID} color={color} tt="none" leftSection={<Icon size={12} />}>
            {verdictTexts[data.verdict]}
          </Badge>
          <Text size="sm" mt={6}>
            {data.reason}
          </Text>
        </>
      )}
    </Box>
  )
}

type Preview = {
  /** The code's id; missing until the draft arrives */
  id: string | undefined
  look: Look
  /** The link in the picture. `isSaved`: the server draws the same one. */
  link: string
  isSaved: boolean
}

/** The preview's address: the server's picture, or one drawn here while the typed path is not saved. */
export function usePicture({ id, look, link, isSaved }: Preview): string | undefined {
  const served = useMemo(
    () => id && imageAddress(id, 'png', look, { t: String(Date.now()) }),
    [id, look],
  )
  const drawn = useDrawn(id && !isSaved ? link : undefined, look)
  return isSaved ? served : drawn
}

/** The preview follows a change of the look after this pause. */
const PREVIEW_DELAY_MS = 150

/** The form's look after a pause in the changes: this one is drawn and checked. A half-typed colour or text changes nothing. */
export function useSettledLook(values: Values): Look {
  const look = lookOf(values)
  // It keeps its identity while nothing changes.
  const last = useRef(look)
  const isChanged = JSON.stringify(look) !== JSON.stringify(last.current)
  if (isChanged && isDrawable(look)) last.current = look
  return useDebouncedValue(last.current, PREVIEW_DELAY_MS)[0]
}
