import { Button, Menu } from '@mantine/core'
import { Download } from 'lucide-react'
import { use } from 'react'
import { BYTE_ORDER_MARK, csvLine } from '#contract/csv.ts'
import { figureFileName } from '#contract/file-names.ts'
import { saveFile } from '../../../files/save-file.ts'
import { importLazily } from '../../../ui/dialog/lazy-import.ts'
import { reportFailure } from '../../../ui/messages/failure.ts'
import { DrawerMenu } from '../drawer-menu.tsx'
import { type About, AboutFigures, type Kept } from './kept.ts'

const kinds = [
  { kind: 'csv', label: 'Table (CSV)' },
  { kind: 'png', label: 'Picture (PNG)' },
  { kind: 'svg', label: 'Picture (SVG)' },
] as const
type FileKind = (typeof kinds)[number]['kind']

type Props = {
  /** Undefined while it is read. */
  kept: Kept | undefined
  /** The figures that are shown are of the former view. */
  isFormer: boolean
}

/** Downloads what a card shows as a file. */
export function SaveMenu({ kept, isFormer }: Props) {
  const about = use(AboutFigures)
  if (!kept || kept.table.rows.length === 0) return null
  return (
    <DrawerMenu
      minWidth={160}
      opener={
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Download size={14} />}
          aria-label={`Download ${kept.title}`}
          disabled={about === null || isFormer}
        >
          Download
        </Button>
      }
    >
      {about &&
        kinds.map(({ kind, label }) => (
          <Menu.Item key={kind} onClick={() => void save(kind, kept, about)}>
            {label}
          </Menu.Item>
        ))}
    </DrawerMenu>
  )
}

async function save(kind: FileKind, kept: Kept, about: About): Promise<void> {
  const { title, what = title } = kept
  const name = figureFileName({ ...about, what: about.isOfBots ? `${what} bots` : what }, kind)
  try {
    const file = await fileOf(kind, kept, about)
    if (file) saveFile(file, name)
  } catch (error) {
    reportFailure(error, 'We couldn’t create the file. Please try again.')
  }
}

const loadPictures = () => import('./pictures/picture.ts')

/** Undefined if the page is older than the server: a toast has said so. */
async function fileOf(kind: FileKind, kept: Kept, about: About): Promise<Blob | undefined> {
  if (kind === 'csv') {
    const lines = [kept.table.head, ...kept.table.rows].map(csvLine)
    return new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv' })
  }
  const part = await importLazily(loadPictures)
  if (!part) return undefined
  const svg = part.pictureOf(kept, about)
  return kind === 'png' ? part.pngOf(svg) : new Blob([svg], { type: 'image/svg+xml' })
}
