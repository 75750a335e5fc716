import { useLocalStorage } from '@mantine/hooks'
import type { QrCode } from '#contract/codes/codes.ts'
import { safeFileStem, zipNameOf } from '#contract/file-names.ts'
import { lookOf, type PictureFormat, PRINT_SIZE } from '#contract/pictures/pictures.ts'
import type { Look } from '#qr/symbol/look.ts'
import { request } from '../api.ts'
import { saveFile } from '../files/save-file.ts'
import { reportFailure } from '../ui/messages/failure.ts'
import { toast } from '../ui/messages/toast.tsx'

function queryOf(look: Look): Record<string, string> {
  return {
    style: look.style,
    fg: look.foreground,
    bg: look.background,
    ecc: look.ecc,
    compact: String(look.compact),
    artwork: look.artwork ? JSON.stringify(look.artwork) : 'none',
  }
}

export function imageAddress(
  id: string,
  format: PictureFormat,
  look: Look,
  more: Record<string, string> = {},
) {
  const query = new URLSearchParams({ format, ...queryOf(look), ...more })
  return `/api/qr-codes/${id}/generate?${query}`
}

/** Without a look, the zip holds the saved one. */
export function zipAddress(id: string, look?: Look, more: Record<string, string> = {}): string {
  const address = `/api/qr-codes/${id}/download-zip`
  return look ? `${address}?${new URLSearchParams({ ...queryOf(look), ...more })}` : address
}

/** The address of a look's scan check. */
export function legibilityAddress(id: string, look: Look): string {
  return `/api/qr-codes/${id}/legibility?${new URLSearchParams(queryOf(look))}`
}

/** Fetches a file and saves it under the given name. A toast reports a failure. */
export async function download(address: string, fileName: string): Promise<void> {
  try {
    const response = await request('GET', address)
    saveFile(await response.blob(), fileName)
  } catch (error) {
    reportFailure(error, 'Failed to download QR code')
  }
}

/** A file of a code: a picture, or the zip of all formats. */
export type FileKind = PictureFormat | 'pdf-cmyk' | 'zip'
type PictureKind = Exclude<FileKind, 'zip'>

export const fileKinds: { kind: FileKind; label: string }[] = [
  { kind: 'svg', label: 'SVG' },
  { kind: 'png', label: 'PNG' },
  { kind: 'jpg', label: 'JPG' },
  { kind: 'webp', label: 'WebP' },
  { kind: 'pdf', label: 'PDF' },
  { kind: 'pdf-cmyk', label: 'PDF (CMYK)' },
  { kind: 'eps', label: 'EPS' },
  { kind: 'zip', label: 'ZIP All' },
]

export const labelOf = (kind: FileKind) =>
  fileKinds.find((known) => known.kind === kind)?.label ?? 'PNG'

const formatOf = (kind: PictureKind): PictureFormat => (kind === 'pdf-cmyk' ? 'pdf' : kind)

/** The address of a saved code's file in a look. */
export function fileAddress(
  id: string,
  kind: FileKind,
  look: Look,
  sizes: Record<string, string>,
): string {
  if (kind === 'zip') return zipAddress(id, look, sizes)
  const inks = kind === 'pdf-cmyk' ? { cmyk: 'true' } : undefined
  return imageAddress(id, formatOf(kind), look, { ...sizes, ...inks })
}

export const fileNameOf = (name: string, kind: FileKind) =>
  kind === 'zip' ? zipNameOf(name) : `${safeFileStem(name)}.${formatOf(kind)}`

const AT_PRINT_SIZE = { mm: String(PRINT_SIZE.default) }

/** Downloads a saved code as it looks. Pictures have the print size; the zip is as the specification has it. */
export function downloadCode(code: QrCode, kind: FileKind): Promise<void> {
  const address =
    kind === 'zip' ? zipAddress(code.id) : fileAddress(code.id, kind, lookOf(code), AT_PRINT_SIZE)
  return download(address, fileNameOf(code.name, kind))
}

const isKind = (text: unknown): text is FileKind => fileKinds.some(({ kind }) => kind === text)

/** The kind of file that 'Download' gives in this browser: the last one that was chosen, a PNG at first. */
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

/** Copies a picture, so that it can be pasted into a document or a chat. @param address of a PNG */
export async function copyPicture(address: string): Promise<void> {
  try {
    // The PNG is still on its way: some browsers allow a copy only while they handle the click.
    const picture = request('GET', address).then((response) => response.blob())
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
    toast.success('Image copied')
  } catch {
    toast.error('This browser can’t copy the image. Download the PNG instead.')
  }
}
