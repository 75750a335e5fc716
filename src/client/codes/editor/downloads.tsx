import { Button, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { lookOf, type PictureFormat, PRINT_SIZE } from '#contract/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import { confirm } from '../../ui/confirm-dialog.tsx'
import { download, zipName } from '../download.ts'
import { imageAddress, isDrawable, zipAddress } from '../image-address.ts'
import { useLegibility } from '../queries.ts'
import styles from './downloads.module.css'
import type { Values } from './editor.ts'
import { PrintSizeField, printSizeOf, type TypedSize } from './print-size.tsx'
import { NOTES_ID } from './save-bar.tsx'

/** `checked` is the look whose verdict stands under the picture. */
type Props = { code: QrCode; values: Values; checked: Look }

/** Files in the look that the form shows. The address in them is the saved one. */
export function Downloads({ code, values, checked }: Props) {
  const [typedSize, setTypedSize] = useState<TypedSize>(PRINT_SIZE.default)
  const pathChanged = values.vanityUrl !== (code.vanityUrl ?? '')
  const guard = useUnreadableGuard(code, checked)
  const disabled = pathChanged || !isDrawable(lookOf(values))
  return (
    <div>
      <div className={styles.files}>
        {filesOf(code, values, printSizeOf(typedSize)).map(({ label, ...file }) => (
          <DownloadButton
            key={label}
            label={label}
            disabled={disabled || !file.address}
            guard={guard}
            {...file}
          />
        ))}
      </div>
      {pathChanged && (
        <Text size="xs" c="dimmed" mt={6} role="status">
          Save first: a download carries the saved custom URL.
        </Text>
      )}
      <PrintSizeField value={typedSize} onChange={setTypedSize} />
    </div>
  )
}

type Guard = (proceed: () => void) => void

/** What is printed and does not scan is waste: the verdict under the picture is said once more. */
function useUnreadableGuard(code: QrCode, checked: Look): Guard {
  const { data } = useLegibility(code, checked)
  return (proceed) => {
    if (data?.verdict !== 'unreadable') return proceed()
    confirm({
      title: 'This code cannot be scanned',
      text: data.reason,
      stay: 'Cancel',
      go: 'Download anyway',
      onGo: () => void proceed(),
    })
  }
}

type File = { label: string; fileName: string; address: string | undefined }

/** What can be downloaded. Each file says how large it prints: without a size it has no address. */
function filesOf(code: QrCode, values: Values, printSize: number | undefined): File[] {
  const look = lookOf(values)
  const name = values.name.trim() || code.name
  const size = printSize === undefined ? undefined : { mm: String(printSize) }
  const image = (format: PictureFormat) => ({
    label: format.toUpperCase(),
    fileName: `${name}.${format}`,
    address: size && imageAddress(code.id, format, look, size),
  })
  const zip = {
    label: 'ZIP All',
    fileName: zipName(name),
    address: size && zipAddress(code.id, look, size),
  }
  return [image('svg'), image('png'), image('jpg'), zip, image('pdf')]
}

type ButtonProps = File & { disabled: boolean; guard: Guard }

function DownloadButton({ label, fileName, address, disabled, guard }: ButtonProps) {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    if (!address) return
    setBusy(true)
    await download(address, fileName)
    setBusy(false)
  }
  return (
    <Button
      variant="default"
      size="sm"
      px={8}
      leftSection={<Download size={14} aria-hidden />}
      loading={busy}
      disabled={disabled}
      aria-describedby={NOTES_ID}
      onClick={() => guard(run)}
    >
      {label}
    </Button>
  )
}
