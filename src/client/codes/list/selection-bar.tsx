import { Button, CloseButton, Progress, Text } from '@mantine/core'
import {
  FolderDown,
  type LucideIcon,
  Palette,
  Pause,
  Play,
  TableProperties,
  Tag,
  Trash2,
} from 'lucide-react'
import { useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { SERIES_MAX } from '#contract/series-rows.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import { fetchPart } from '../../ui/late-part.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { BAD_TEXT } from '../../ui/theme.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { type useBatchActions, type Progress as Work, ZIP_CODES_MAX } from './batch.ts'
import { saveChosen } from './code-table-file.ts'
import { deletionQuestion, unreadableQuestion } from './questions.tsx'
import type { Selection } from './selection.ts'
import styles from './selection-bar.module.css'

type Props = {
  selection: Selection
  /** The codes that the list found, on all pages. */
  found: QrCode[]
  actions: ReturnType<typeof useBatchActions>
}

/** The actions on the ticked codes. The bar floats above the rows, so that no row moves when it appears. */
export function SelectionBar({ selection, found, actions }: Props) {
  const bar = useRef<HTMLElement>(null)
  useKeptFocus(bar, () => bar.current?.focus())
  return (
    <section ref={bar} className={styles.bar} aria-label="Selected QR codes" tabIndex={-1}>
      {actions.progress ? (
        <UnderWay work={actions.progress} onStop={actions.stop} />
      ) : (
        <Choices {...{ selection, found, actions }} />
      )}
    </section>
  )
}

function Choices({ selection, found, actions }: Props) {
  const { codes } = selection
  const tooMany = codes.length > ZIP_CODES_MAX
  const download = () => void actions.download(codes)
  const zip = () => {
    const question = unreadableQuestion(codes)
    if (question) confirm({ ...question, onGo: download })
    else download()
  }
  const remove = () =>
    confirm({ ...deletionQuestion(codes), onGo: () => void actions.remove(codes) })
  return (
    <>
      <Text size="sm" fw={600} role="status" className={styles.count}>
        {codes.length} selected
      </Text>
      {codes.length < found.length && (
        <Button variant="subtle" size="compact-sm" onClick={() => selection.set(found, true)}>
          Select all {found.length}
        </Button>
      )}
      <div className={styles.choices}>
        {codes.some(({ isActive }) => isActive) && (
          <Choice label="Pause" icon={Pause} run={() => actions.pause(codes)} />
        )}
        {codes.some(({ isActive }) => !isActive) && (
          <Choice label="Resume" icon={Play} run={() => actions.resume(codes)} />
        )}
        <UseStyle codes={codes} />
        <ChangeTags codes={codes} />
        <Choice label="Export as CSV" icon={TableProperties} run={() => void saveChosen(codes)} />
        <Choice label="Download as zip" icon={FolderDown} run={zip} disabled={tooMany} />
        <Choice label="Delete" icon={Trash2} run={remove} color={BAD_TEXT} />
      </div>
      <Tooltip label="Clear selection">
        <CloseButton aria-label="Clear selection" onClick={selection.clear} size={36} />
      </Tooltip>
      {tooMany && (
        <Text size="xs" c="dimmed" className={styles.bound}>
          A zip takes {ZIP_CODES_MAX} QR codes at most.
        </Text>
      )}
    </>
  )
}

const loadStyles = () => import('../looks/apply-look-dialog.tsx')

/** Its dialog is loaded when somebody wants it. */
function UseStyle({ codes }: { codes: QrCode[] }) {
  const [part, setPart] = useState<Awaited<ReturnType<typeof loadStyles>>>()
  const [isOpen, setOpen] = useState(false)
  const open = async () => {
    setPart(await fetchPart(loadStyles))
    setOpen(true)
  }
  const close = () => setOpen(false)
  return (
    <>
      <Choice label="Use a style" icon={Palette} run={open} disabled={codes.length > SERIES_MAX} />
      {part && <part.ApplyLookDialog opened={isOpen} codes={codes} onClose={close} />}
    </>
  )
}

const loadTags = () => import('../tags/tag-codes-dialog.tsx')

/** Its dialog is loaded when somebody wants it. */
function ChangeTags({ codes }: { codes: QrCode[] }) {
  const [part, setPart] = useState<Awaited<ReturnType<typeof loadTags>>>()
  const [isOpen, setOpen] = useState(false)
  const open = async () => {
    setPart(await fetchPart(loadTags))
    setOpen(true)
  }
  const close = () => setOpen(false)
  return (
    <>
      <Choice label="Change tags" icon={Tag} run={open} />
      {part && <part.TagCodesDialog opened={isOpen} codes={codes} onClose={close} />}
    </>
  )
}

type ChoiceProps = {
  label: string
  icon: LucideIcon
  run: () => void
  disabled?: boolean
  color?: string
}

function Choice({ label, icon: Icon, run, disabled = false, color }: ChoiceProps) {
  return (
    <Button
      variant="default"
      size="sm"
      className={styles.choice}
      leftSection={<Icon size={16} aria-hidden />}
      c={color}
      disabled={disabled}
      onClick={run}
    >
      {label}
    </Button>
  )
}

function UnderWay({ work, onStop }: { work: Work; onStop: () => void }) {
  const { verb, done, total } = work
  const text = `${verb} ${done} of ${total}`
  return (
    <>
      <Text size="sm" fw={600} className={styles.count}>
        {text}
      </Text>
      <Progress
        value={(done / total) * 100}
        aria-label={text}
        className={styles.progress}
        transitionDuration={0}
      />
      <Button variant="default" size="sm" onClick={onStop}>
        Stop
      </Button>
    </>
  )
}
