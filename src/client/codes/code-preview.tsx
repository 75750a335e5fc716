import { Text } from '@mantine/core'
import type { QrCode } from '#contract/codes.ts'
import { Spinner } from '../ui/spinner.tsx'
import styles from './code-preview.module.css'
import type { Values } from './editor.ts'
import type { Look } from './image-address.ts'
import { hostOf, linkOf } from './links.ts'
import { usePicture } from './picture.ts'
import { ScanCheck } from './scan-check.tsx'

type Props = {
  code: QrCode | undefined
  /** The draft was refused: there is nothing to wait for. */
  failed: boolean
  values: Values
  /** The look that the values have settled on */
  look: Look
  hostUrl: string
}

export function CodePreview({ code, failed, ...shown }: Props) {
  if (code) return <Picture code={code} {...shown} />
  return (
    <div className={styles.frame}>
      {!failed && <Spinner label="Generating QR code..." visibleLabel />}
    </div>
  )
}

type PictureProps = Omit<Props, 'code' | 'failed'> & { code: QrCode }

function Picture({ code, values, look, hostUrl }: PictureProps) {
  const path = values.vanityUrl || code.shortCode
  const isSaved = values.vanityUrl === (code.vanityUrl ?? '')
  const picture = usePicture({ code, look, link: linkOf(hostUrl, path), isSaved })
  return (
    <div>
      <figure className={styles.figure}>
        <div className={styles.frame}>
          {picture && <img src={picture} alt="QR code preview" width={240} height={240} />}
        </div>
        <Text component="figcaption" size="sm" ta="center" className={styles.caption}>
          {hostOf(hostUrl)}/qr/{path}
        </Text>
      </figure>
      <ScanCheck code={code} look={look} />
    </div>
  )
}
