import { Button, CloseButton, Progress, Text } from '@mantine/core'
import {
  FolderDown,
  type LucideIcon,
  Palette,
  Pause,
  Play,
  Printer,
  TableProperties,
  Tag,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import type { QrCode } from '#contract/codes.ts'
import { SERIES_MAX } from '#contract/series-rows.ts'
import { formatCount } from '../../formats.ts'
import { MountOnOpen } from '../../ui/dialog/dialog.tsx'
import { importLazily } from '../../ui/dialog/lazy-import.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
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
  hostUrl: string
}

/** The actions on the ticked codes. The bar floats above the rows, so that no row moves when it appears. */
export function SelectionBar({ actions, ...props }: Props) {
  const bar = useRef<HTMLElement>(null)
  useKeptFocus(bar, () => bar.current?.focus())
  return (
    <section ref={bar} className={styles.bar} aria-label="Selected QR codes" tabIndex={-1}>
      {actions.progress ? (
        <UnderWay work={actions.progress} onStop={actions.stop} />
      ) : (
        <Choices actions={actions} {...props} />
      )}
    </section>
  )
}

function Choices({ selection, found, actions, hostUrl }: Props) {
  const { codes } = selection
  const ids = useMemo(() => codes.map(({ id }) => id), [codes])
  const tooMany = codes.length > ZIP_CODES_MAX
  const isBeyondSeries = codes.length > SERIES_MAX
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
        <LateChoice label="Use a style" icon={Palette} load={loadStyles} disabled={isBeyondSeries}>
          {(part, dialog) => <part.ApplyStyleDialog {...dialog} codes={codes} />}
        </LateChoice>
        <LateChoice label="Change tags" icon={Tag} load={loadTags}>
          {(part, dialog) => <part.TagCodesDialog {...dialog} codes={codes} />}
        </LateChoice>
        <LateChoice label="Print labels" icon={Printer} load={loadLabels} disabled={isBeyondSeries}>
          {(part, dialog) => <part.LabelsDialog {...dialog} ids={ids} hostUrl={hostUrl} />}
        </LateChoice>
        <Choice label="Export as CSV" icon={TableProperties} run={() => void saveChosen(codes)} />
        <Choice label="Download as zip" icon={FolderDown} run={zip} disabled={tooMany} />
        <Choice label="Delete" icon={Trash2} run={remove} color={BAD_TEXT} />
      </div>
      <Tooltip label="Clear selection">
        <CloseButton aria-label="Clear selection" onClick={selection.clear} size={36} />
      </Tooltip>
      {tooMany && (
        <Text size="xs" c="dimmed" ta="right" flex="0 1 100%">
          A zip takes {ZIP_CODES_MAX} QR codes at most
          {isBeyondSeries && `, a style and labels ${formatCount(SERIES_MAX)}`}.
        </Text>
      )}
    </>
  )
}

const loadStyles = () => import('../styles/apply-style-dialog.tsx')
const loadTags = () => import('../tags/tag-codes-dialog.tsx')
const loadLabels = () => import('../labels/labels-panel.tsx')

type LateChoiceProps<Part> = Omit<ChoiceProps, 'run'> & {
  load: () => Promise<Part>
  children: (part: Part, dialog: { opened: boolean; onClose: () => void }) => ReactNode
}

/** A choice whose dialog is loaded on the first click. */
function LateChoice<Part>({ load, children, ...choice }: LateChoiceProps<Part>) {
  const [part, setPart] = useState<Part>()
  const [isOpen, setOpen] = useState(false)
  const open = async () => {
    const loaded = await importLazily(load)
    setPart(() => loaded)
    setOpen(loaded !== undefined)
  }
  return (
    <>
      <Choice {...choice} run={open} />
      {part && (
        <MountOnOpen opened={isOpen}>
          {(opened) => children(part, { opened, onClose: () => setOpen(false) })}
        </MountOnOpen>
      )}
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
        flex={1}
        miw={80}
        transitionDuration={0}
      />
      <Button variant="default" size="sm" onClick={onStop}>
        Stop
      </Button>
    </>
  )
}
