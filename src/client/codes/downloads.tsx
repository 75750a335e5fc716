import { Button, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { PictureFormat, QrCode } from '#contract/codes.ts'
import { download, zipName } from './download.ts'
import styles from './downloads.module.css'
import type { Values } from './editor.ts'
import { imageAddress, isDrawable, lookOf, zipAddress } from './image-address.ts'

const shown: readonly PictureFormat[] = ['svg', 'png', 'jpg']

/** Files in the look that the form shows. The address in them is the saved one. */
export function Downloads({ code, values }: { code: QrCode; values: Values }) {
  const look = lookOf(values)
  const name = values.name.trim() || code.name
  const pathChanged = values.vanityUrl !== (code.vanityUrl ?? '')
  const disabled = pathChanged || !isDrawable(look)
  return (
    <div>
      <div className={styles.grid}>
        {shown.map((format) => (
          <DownloadButton
            key={format}
            label={format.toUpperCase()}
            disabled={disabled}
            start={() => download(imageAddress(code.id, format, look), `${name}.${format}`)}
          />
        ))}
        <DownloadButton
          label="ZIP All"
          disabled={disabled}
          start={() => download(zipAddress(code.id, look), zipName(name))}
        />
      </div>
      {pathChanged && (
        <Text size="xs" c="dimmed" mt={6} role="status">
          Save first: a download carries the saved custom URL.
        </Text>
      )}
    </div>
  )
}

type ButtonProps = { label: string; disabled: boolean; start: () => Promise<void> }

function DownloadButton({ label, disabled, start }: ButtonProps) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await start()
    setBusy(false)
  }
  return (
    <Button
      variant="default"
      size="sm"
      leftSection={<Download size={14} aria-hidden />}
      loading={busy}
      disabled={disabled}
      onClick={run}
    >
      {label}
    </Button>
  )
}
