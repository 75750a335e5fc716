import { Button, type ButtonProps as KitProps, Menu, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, Copy, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import type { Values } from '../../../kept-form.ts'
import { confirm } from '../../../ui/messages/confirm-dialog.tsx'
import { copyPicture } from '../../copying.ts'
import {
  download,
  type FileKind,
  fileAddress,
  fileNameOf,
  labelOf,
  useUsualKind,
} from '../../files.ts'
import { useLegibility } from '../../queries.ts'
import { isDrawable } from '../artwork/artwork-form.ts'
import styles from '../code-form.module.css'
import { VERDICT_ID } from '../code-preview.tsx'
import { Fold } from '../fields.tsx'
import { NOTES_ID } from './before-printing.tsx'
import type { FileSizes } from './file-sizes.tsx'

type Props = {
  code: QrCode
  values: Values
  /** The look whose verdict is shown under the picture */
  checked: Look
  sizes: FileSizes
  /** A download is what the person does next. */
  isNext?: boolean
}

/** One button for the format used last, and all formats. The link in the files is the saved one. */
export function Downloads({ code, values, checked, sizes, isNext = false }: Props) {
  const { usual } = useUsualKind()
  const pathChanged = values.vanityUrl !== (code.vanityUrl ?? '')
  const guard = useUnreadableGuard(code, checked)
  const disabled = pathChanged || !isDrawable(lookOf(values)) || !sizes.query
  const name = values.name.trim() || code.name
  const file = (kind: FileKind): File => ({
    kind,
    fileName: fileNameOf(name, kind),
    address: sizes.query && fileAddress(code.id, kind, lookOf(values), sizes.query),
  })
  return (
    <Stack gap={8}>
      <DownloadButton
        {...file(usual)}
        disabled={disabled}
        guard={guard}
        variant={isNext ? 'filled' : 'default'}
        leftSection={<Download size={16} />}
      >
        Download {labelOf(usual)}
      </DownloadButton>
      <Fold title="All formats" chosen={[]}>
        <div className={styles.files}>
          {firstKinds.map((kind) => (
            <DownloadButton key={kind} {...small} {...file(kind)} disabled={disabled} guard={guard}>
              {labelOf(kind)}
            </DownloadButton>
          ))}
        </div>
        <div className={styles.files}>
          <DownloadButton {...small} {...file('pdf')} disabled={disabled} guard={guard}>
            PDF
          </DownloadButton>
          <CopyButton address={file('png').address} disabled={disabled} />
          <MoreFormats files={moreKinds.map(file)} disabled={disabled} guard={guard} />
        </div>
      </Fold>
      {pathChanged && (
        <Text size="xs" c="dimmed" role="status">
          Save first. Downloads use the saved custom URL.
        </Text>
      )}
    </Stack>
  )
}

type Guard = (proceed: () => void) => void

/** Asks before a file that does not scan: printing it would be a waste. */
function useUnreadableGuard(code: QrCode, checked: Look): Guard {
  const { data } = useLegibility(code, checked)
  return (proceed) => {
    if (data?.verdict !== 'unreadable') return proceed()
    confirm({
      title: 'Most scanners can’t read this code',
      text: data.reason,
      go: 'Download anyway',
      onGo: () => void proceed(),
    })
  }
}

/** The common kinds have a button each, the rare ones are in a menu. */
const firstKinds: readonly FileKind[] = ['svg', 'png', 'jpg', 'zip']
const moreKinds: readonly FileKind[] = ['webp', 'pdf-cmyk', 'eps']

type File = {
  kind: FileKind
  fileName: string
  /** Undefined while a size is not valid */
  address: string | undefined
}

type ButtonProps = { disabled: boolean; guard: Guard }
type DownloadProps = File & ButtonProps & KitProps & { children: ReactNode }

function DownloadButton({ kind, fileName, address, guard, ...button }: DownloadProps) {
  const { setUsual } = useUsualKind()
  const { isPending, mutate } = useMutation({
    mutationFn: async () => {
      if (!address) return
      setUsual(kind)
      await download(address, fileName)
    },
  })
  return (
    <Button
      loading={isPending}
      aria-describedby={`${VERDICT_ID} ${NOTES_ID}`}
      onClick={() => guard(mutate)}
      {...button}
    />
  )
}

const small = { variant: 'default', size: 'sm', px: 8 } as const

function CopyButton({ address, disabled }: { address: string | undefined; disabled: boolean }) {
  return (
    <Button
      {...small}
      leftSection={<Copy size={14} />}
      disabled={disabled}
      onClick={() => address && void copyPicture(address)}
    >
      Copy image
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
        <Button {...small} rightSection={<ChevronDown size={14} />} disabled={disabled}>
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
