import { useLocalStorage } from '@mantine/hooks'
import type { QrCode } from '#contract/codes.ts'
import { safeFileStem, zipNameOf } from '#contract/downloads/file-names.ts'
import { lookOf, type PictureFormat, PRINT_SIZE, pictureFormats } from '#contract/pictures.ts'
import { download } from './download.ts'
import { imageAddress, zipAddress } from './image-address.ts'

/** A file that a code can be taken as: a picture, or the zip of all formats. */
export type FileKind = PictureFormat | 'zip'

export const fileKinds: { kind: FileKind; label: string }[] = [
  { kind: 'svg', label: 'SVG' },
  { kind: 'png', label: 'PNG' },
  { kind: 'jpg', label: 'JPG' },
  { kind: 'pdf', label: 'PDF' },
  { kind: 'zip', label: 'ZIP All' },
]

export const fileNameOf = (name: string, kind: FileKind) =>
  kind === 'zip' ? zipNameOf(name) : `${safeFileStem(name)}.${kind}`

const AT_PRINT_SIZE = { mm: String(PRINT_SIZE.default) }

/** Downloads a saved code as it looks. Pictures have the print size; the zip is as the specification has it. */
export function downloadCode(code: QrCode, kind: FileKind): Promise<void> {
  const address =
    kind === 'zip' ? zipAddress(code.id) : imageAddress(code.id, kind, lookOf(code), AT_PRINT_SIZE)
  return download(address, fileNameOf(code.name, kind))
}

const isKind = (text: unknown): text is FileKind =>
  text === 'zip' || pictureFormats.some((format) => format === text)

/** What one click on 'Download' gives in this browser: the kind that somebody took last, a PNG at first. */
export function useUsualKind() {
  const [usual, setUsual] = useLocalStorage<FileKind>({
    key: 'tessera-file',
    defaultValue: 'png',
    getInitialValueInEffect: false,
    serialize: (kind) => kind,
    deserialize: (text) => (isKind(text) ? text : 'png'),
  })
  return { usual, setUsual }
}
