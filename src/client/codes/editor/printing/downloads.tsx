import { Button, type ButtonProps, Group, Menu, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { ChevronDown, Copy, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import type { QrCode } from '#contract/codes/codes.ts'
import { lookOf } from '#contract/pictures/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import type { Values } from '../../../kept-form.ts'
import { askFirst } from '../../../ui/messages/confirm-dialog.tsx'
import { Line, Quiet } from '../../../ui/quiet.tsx'
import {
  copyPicture,
  download,
  type FileKind,
  fileAddress,
  fileNameOf,
  labelOf,
  useUsualKind,
} from '../../files.ts'
import { UNREADABLE } from '../../list/questions.tsx'
import { useLegibility } from '../../queries.ts'
import { isDrawable } from '../artwork/artwork-form.ts'
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
  const { usual, setUsual } = useUsualKind()
  const guard = useUnreadableGuard(code, checked)
  const look = lookOf(values)
  const { query } = sizes
  const pathChanged = values.vanityUrl !== (code.vanityUrl ?? '')
  const disabled = pathChanged || !isDrawable(look) || !query
  const fetchFile = async (kind: FileKind) => {
    if (!query) return
    setUsual(kind)
    const name = fileNameOf(values.name.trim() || code.name, kind)
    await download(fileAddress(code.id, kind, look, query), name)
  }
  const button = (kind: FileKind) => ({ kind, fetchFile, guard, disabled })
  return (
    <Stack gap={8}>
      <DownloadButton
        {...button(usual)}
        variant={isNext ? 'filled' : 'default'}
        leftSection={<Download size={16} />}
      >
        Download {labelOf(usual)}
      </DownloadButton>
      <Fold title="All formats" chosen={[]}>
        <Group gap={8} grow preventGrowOverflow={false}>
          {firstKinds.map((kind) => (
            <DownloadButton key={kind} {...small} {...button(kind)} />
          ))}
        </Group>
        <Group gap={8} grow preventGrowOverflow={false}>
          <DownloadButton {...small} {...button('pdf')} />
          <Button
            {...small}
            leftSection={<Copy size={14} />}
            disabled={disabled}
            onClick={() => query && void copyPicture(fileAddress(code.id, 'png', look, query))}
          >
            Copy image
          </Button>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button {...small} rightSection={<ChevronDown size={14} />} disabled={disabled}>
                More formats
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {rareKinds.map(({ kind, purpose }) => (
                <Menu.Item
                  key={kind}
                  aria-label={`Download ${labelOf(kind)}`}
                  rightSection={<Line>{purpose}</Line>}
                  onClick={() => guard(() => void fetchFile(kind))}
                >
                  {labelOf(kind)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </Group>
      </Fold>
      {pathChanged && (
        <Quiet size="xs" role="status">
          Save first. Downloads use the saved custom URL.
        </Quiet>
      )}
    </Stack>
  )
}

type Guard = (proceed: () => void) => void

/** Asks before a file that does not scan: printing it would be a waste. */
function useUnreadableGuard(code: QrCode, checked: Look): Guard {
  const { data } = useLegibility(code, checked)
  const question = data?.verdict === 'unreadable' ? { ...UNREADABLE, text: data.reason } : null
  return (proceed) => askFirst(question, proceed)
}

/** The common kinds have a button each, the rare ones are in a menu. */
const firstKinds: readonly FileKind[] = ['svg', 'png', 'jpg', 'zip']
const rareKinds: readonly { kind: FileKind; purpose: string }[] = [
  { kind: 'webp', purpose: 'for websites' },
  { kind: 'pdf-cmyk', purpose: 'for print shops' },
  { kind: 'eps', purpose: 'for older print software' },
]

const small = { variant: 'default', size: 'sm', px: 8 } as const

type DownloadProps = ButtonProps & {
  kind: FileKind
  fetchFile: (kind: FileKind) => Promise<void>
  guard: Guard
  children?: ReactNode
}

function DownloadButton({ kind, fetchFile, guard, children, ...button }: DownloadProps) {
  const { isPending, mutate } = useMutation({ mutationFn: () => fetchFile(kind) })
  return (
    <Button
      loading={isPending}
      aria-describedby={`${VERDICT_ID} ${NOTES_ID}`}
      onClick={() => guard(mutate)}
      {...button}
    >
      {children ?? labelOf(kind)}
    </Button>
  )
}
