import { Button, Menu } from '@mantine/core'
import { Download } from 'lucide-react'
import { use } from 'react'
import { BYTE_ORDER_MARK, csvLine } from '#contract/downloads/csv.ts'
import { figureFileName } from '#contract/downloads/file-names.ts'
import { saveFile } from '../../../files/save-file.ts'
import { importLazily } from '../../../ui/late-part.ts'
import { reportFailure } from '../../../ui/messages/failure.ts'
import { type About, AboutFigures, type Kept, type Table } from './kept.ts'
import { pngOf } from './png.ts'
import styles from './save-menu.module.css'

const kinds = [
  { kind: 'csv', label: 'Table (CSV)' },
  { kind: 'png', label: 'Picture (PNG)' },
  { kind: 'svg', label: 'Picture (SVG)' },
] as const
type FileKind = (typeof kinds)[number]['kind']

type Props = {
  /** Undefined while it is read. */
  kept: Kept | undefined
  /** What is shown is not what is asked for. */
  isFormer: boolean
}

/** Saves what a card shows as a file. */
export function SaveMenu({ kept, isFormer }: Props) {
  const about = use(AboutFigures)
  if (!kept || kept.table.rows.length === 0) return null
  return (
    <Menu
      // Within the dialog: what is beside it is hidden from screen readers.
      withinPortal={false}
      // It would be a child of the menu that is no item.
      withInitialFocusPlaceholder={false}
      position="bottom-end"
      offset={4}
      shadow="md"
      transitionProps={{ duration: 0 }}
    >
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-sm"
          className={styles.opener}
          leftSection={<Download size={14} aria-hidden />}
          aria-label={`Save ${kept.title}`}
          disabled={about === null || isFormer}
        >
          Save
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={styles.menu}>
        {about &&
          kinds.map(({ kind, label }) => (
            <Menu.Item key={kind} onClick={() => void save(kind, kept, about)}>
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  )
}

async function save(kind: FileKind, kept: Kept, about: About): Promise<void> {
  const what = about.isOfBots ? `${kept.what} bots` : kept.what
  const name = figureFileName({ ...about, what }, kind)
  try {
    const file = await fileOf(kind, kept, about)
    if (file) saveFile(file, name)
  } catch (error) {
    reportFailure(error, 'The file could not be made. Please try again.')
  }
}

const loadPictures = () => import('./pictures/picture.ts')

/** Undefined where the page is older than the server, which a toast has said. */
async function fileOf(kind: FileKind, kept: Kept, about: About): Promise<Blob | undefined> {
  if (kind === 'csv') return tableFile(kept.table)
  const part = await importLazily(loadPictures)
  if (!part) return undefined
  const svg = part.pictureOf(kept, about)
  return kind === 'png' ? pngOf(svg) : new Blob([svg], { type: 'image/svg+xml' })
}

function tableFile({ head, rows }: Table): Blob {
  const lines = [head, ...rows].map(csvLine)
  return new Blob([BYTE_ORDER_MARK, ...lines], { type: 'text/csv' })
}
