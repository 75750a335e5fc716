import { Box, Button, Menu, NumberInput, type NumberInputProps, Text } from '@mantine/core'
import { ChevronDown, Copy, Download } from 'lucide-react'
import { useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { IMAGE_SIZE, lookOf, PRINT_SIZE } from '#contract/pictures/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import { formatCount } from '../../formats.ts'
import type { Values } from '../../kept-form.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { copyPicture } from '../copying.ts'
import {
  download,
  type FileKind,
  fileAddress,
  fileNameOf,
  labelOf,
  useUsualKind,
} from '../files.ts'
import { useLegibility } from '../queries.ts'
import { isDrawable } from './artwork/artwork-form.ts'
import styles from './code-form.module.css'
import { pixelsOf, printSizeOf, printSizeText, type TypedSize } from './print-size.ts'
import { NOTES_ID } from './save-bar.tsx'

/** `checked` is the look whose verdict is shown under the picture. */
type Props = { code: QrCode; values: Values; checked: Look }

/** Files in the form's current look. The link in them is the saved one. */
export function Downloads({ code, values, checked }: Props) {
  const [typedSize, setTypedSize] = useState<TypedSize>(PRINT_SIZE.default)
  const [typedPixels, setTypedPixels] = useState<TypedSize>(IMAGE_SIZE.default)
  const pathChanged = values.vanityUrl !== (code.vanityUrl ?? '')
  const guard = useUnreadableGuard(code, checked)
  const disabled = pathChanged || !isDrawable(lookOf(values))
  const sizes = sizesOf(printSizeOf(typedSize), pixelsOf(typedPixels))
  const name = values.name.trim() || code.name
  const file = (kind: FileKind): File => ({
    kind,
    fileName: fileNameOf(name, kind),
    address: sizes && fileAddress(code.id, kind, lookOf(values), sizes),
  })
  return (
    <div>
      <div className={styles.files}>
        {firstKinds.map((kind) => (
          <DownloadButton key={kind} {...file(kind)} disabled={disabled || !sizes} guard={guard} />
        ))}
        <CopyButton address={file('png').address} disabled={disabled || !sizes} />
        <MoreFormats files={moreKinds.map(file)} disabled={disabled || !sizes} guard={guard} />
      </div>
      {pathChanged && (
        <Text size="xs" c="dimmed" mt={6} role="status">
          Save first: a download carries the saved custom URL.
        </Text>
      )}
      <PrintSizeField value={typedSize} onChange={setTypedSize} />
      <PixelsField value={typedPixels} onChange={setTypedPixels} />
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
      title: 'Most scanners cannot read this code',
      text: data.reason,
      stay: 'Cancel',
      go: 'Download anyway',
      onGo: () => void proceed(),
    })
  }
}

/** As the addresses of files have them; undefined while one of them is not valid. */
function sizesOf(printSize: number | undefined, pixels: number | undefined) {
  if (printSize === undefined || pixels === undefined) return undefined
  // The default has the addresses that it always had, and browsers keep what they say.
  const size = pixels === IMAGE_SIZE.default ? undefined : { size: String(pixels) }
  return { mm: String(printSize), ...size }
}

/** The common kinds have a button each, the rare ones are in a menu. */
const firstKinds: readonly FileKind[] = ['svg', 'png', 'jpg', 'zip', 'pdf']
const moreKinds: readonly FileKind[] = ['webp', 'pdf-cmyk', 'eps']

type File = {
  kind: FileKind
  fileName: string
  /** Undefined while a size is not valid */
  address: string | undefined
}

type ButtonProps = { disabled: boolean; guard: Guard }

function DownloadButton({ kind, fileName, address, disabled, guard }: File & ButtonProps) {
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
      {...look}
      leftSection={<Download size={14} aria-hidden />}
      loading={busy}
      disabled={disabled}
      aria-describedby={NOTES_ID}
      onClick={() => guard(run)}
    >
      {labelOf(kind)}
    </Button>
  )
}

const look = { variant: 'default', size: 'sm', px: 8 } as const

function CopyButton({ address, disabled }: { address: string | undefined; disabled: boolean }) {
  return (
    <Button
      {...look}
      leftSection={<Copy size={14} aria-hidden />}
      disabled={disabled}
      onClick={() => address && void copyPicture(address)}
    >
      Copy picture
    </Button>
  )
}

function MoreFormats({ files, disabled, guard }: ButtonProps & { files: readonly File[] }) {
  const { setUsual } = useUsualKind()
  return (
    <Menu
      position="bottom-end"
      shadow="md"
      transitionProps={{ duration: 0 }}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button {...look} rightSection={<ChevronDown size={14} aria-hidden />} disabled={disabled}>
          More formats
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {files.map(({ kind, fileName, address }) => (
          <Menu.Item
            key={kind}
            aria-label={`Download ${labelOf(kind)}`}
            rightSection={
              <Text component="span" size="xs" c="dimmed">
                {purposes[kind]}
              </Text>
            }
            onClick={() =>
              guard(() => {
                setUsual(kind)
                if (address) void download(address, fileName)
              })
            }
          >
            {labelOf(kind)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const purposes: Partial<Record<FileKind, string>> = {
  webp: 'for websites',
  'pdf-cmyk': 'for print shops',
  eps: 'for older print software',
}

const BOUNDS = `From ${PRINT_SIZE.min} to ${formatCount(PRINT_SIZE.max)} mm`
const STEP_MM = 5
const PIXEL_BOUNDS = `A whole number from ${IMAGE_SIZE.min} to ${formatCount(IMAGE_SIZE.max)}`
const STEP_PIXELS = 64

type SizeProps = Omit<NumberInputProps, 'onChange'> & { onChange: (value: TypedSize) => void }

/** A size out of bounds shows an error and is never corrected. The downloads wait for a valid one. */
function SizeField(props: SizeProps) {
  return (
    <NumberInput
      classNames={{ root: styles.size }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      // Enter would save and close the form, but this field is not saved with it.
      onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      clampBehavior="none"
      allowNegative={false}
      {...props}
    />
  )
}

type FieldProps = { value: TypedSize; onChange: (value: TypedSize) => void }

function PrintSizeField({ value, onChange }: FieldProps) {
  const size = printSizeOf(value)
  return (
    <SizeField
      label="Print size (mm)"
      description={
        <>
          The width of the printed code, border included. It applies to every file.
          {size !== undefined && (
            <Box component="span" display="block" mt={2}>
              {printSizeText(size)}
            </Box>
          )}
        </>
      }
      error={size === undefined && BOUNDS}
      min={PRINT_SIZE.min}
      max={PRINT_SIZE.max}
      decimalScale={1}
      step={STEP_MM}
      value={value}
      onChange={onChange}
    />
  )
}

function PixelsField({ value, onChange }: FieldProps) {
  return (
    <SizeField
      label="Pixels"
      description="The width of PNG, JPG and WebP files."
      error={pixelsOf(value) === undefined && PIXEL_BOUNDS}
      min={IMAGE_SIZE.min}
      max={IMAGE_SIZE.max}
      allowDecimal={false}
      step={STEP_PIXELS}
      value={value}
      onChange={onChange}
    />
  )
}
