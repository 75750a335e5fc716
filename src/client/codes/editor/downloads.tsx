import { Button, NumberInput, Text } from '@mantine/core'
import { Download } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { lookOf, type PictureFormat, PRINT_SIZE } from '#contract/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import type { Values } from '../../kept-form.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { download } from '../download.ts'
import { type FileKind, fileNameOf, useUsualKind } from '../files.ts'
import { imageAddress, zipAddress } from '../image-address.ts'
import { useLegibility } from '../queries.ts'
import { isDrawable } from './artwork/drawable.ts'
import styles from './code-form.module.css'
import { printSizeOf, printSizeText, type TypedSize } from './print-size.ts'
import { NOTES_ID } from './save-bar.tsx'

/** `checked` is the look whose verdict is shown under the picture. */
type Props = { code: QrCode; values: Values; checked: Look }

/** Files in the form's current look. The link in them is the saved one. */
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

/** Asks before a file that does not scan: printing it would be a waste. */
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

type File = {
  label: string
  kind: FileKind
  fileName: string
  address: string | undefined
}

/** The files that can be downloaded. Without a valid print size a file has no address. */
function filesOf(code: QrCode, values: Values, printSize: number | undefined): File[] {
  const look = lookOf(values)
  const name = values.name.trim() || code.name
  const size = printSize === undefined ? undefined : { mm: String(printSize) }
  const image = (format: PictureFormat) => ({
    label: format.toUpperCase(),
    kind: format,
    fileName: fileNameOf(name, format),
    address: size && imageAddress(code.id, format, look, size),
  })
  const zip: File = {
    label: 'ZIP All',
    kind: 'zip',
    fileName: fileNameOf(name, 'zip'),
    address: size && zipAddress(code.id, look, size),
  }
  return [image('svg'), image('png'), image('jpg'), zip, image('pdf')]
}

type ButtonProps = File & { disabled: boolean; guard: Guard }

function DownloadButton({ label, kind, fileName, address, disabled, guard }: ButtonProps) {
  const [busy, setBusy] = useState(false)
  const { setUsual } = useUsualKind()
  const run = async () => {
    if (!address) return
    setBusy(true)
    setUsual(kind)
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

const BOUNDS = `From ${PRINT_SIZE.min} to ${PRINT_SIZE.max.toLocaleString('en-US')} mm`
const STEP_MM = 5

/** Enter would save and close the form, but this field is not saved with it. */
const keepOpen = (event: KeyboardEvent) => {
  if (event.key === 'Enter') event.preventDefault()
}

type PrintSizeProps = { value: TypedSize; onChange: (value: TypedSize) => void }

/** A size out of bounds shows an error and is never corrected. The downloads wait for a valid one. */
export function PrintSizeField({ value, onChange }: PrintSizeProps) {
  const size = printSizeOf(value)
  return (
    <NumberInput
      classNames={{ root: styles.size }}
      label="Print size (mm)"
      description={
        <>
          The width of the printed code, border included. It applies to every file.
          {size !== undefined && <span className={styles.distance}>{printSizeText(size)}</span>}
        </>
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      error={size === undefined && BOUNDS}
      value={value}
      onChange={onChange}
      onKeyDown={keepOpen}
      min={PRINT_SIZE.min}
      max={PRINT_SIZE.max}
      clampBehavior="none"
      allowNegative={false}
      decimalScale={1}
      step={STEP_MM}
    />
  )
}
