import { Button, CloseButton, Group, Menu, Progress, Text } from '@mantine/core'
import {
  ChevronDown,
  FolderDown,
  ListChecks,
  type LucideIcon,
  Palette,
  Pause,
  Play,
  Printer,
  TableProperties,
  Tag,
  Trash2,
} from 'lucide-react'
import { type FunctionComponent, useRef, useState } from 'react'
import { SERIES_MAX } from '#contract/codes/code-values.ts'
import type { QrCode } from '#contract/codes/codes.ts'
import { formatCount } from '../../formats.ts'
import { LateDialog, useOnPhone } from '../../ui/dialog/dialog.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { askFirst, confirm } from '../../ui/messages/confirm-dialog.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { BAD_TEXT } from '../../ui/theme/theme.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { useMay } from '../../workspace.ts'
import {
  type useBatchActions,
  useTableExport,
  type Progress as Work,
  ZIP_CODES_MAX,
} from './batch.ts'
import styles from './code-list.module.css'
import { deletionQuestion, unreadableQuestion } from './questions.tsx'
import type { Selection } from './selection.ts'

type Props = {
  selection: Selection
  /** The codes that the list found, on all pages. */
  found: QrCode[]
  actions: ReturnType<typeof useBatchActions>
}

/** The actions on the ticked codes. The bar floats above the rows, so that no row moves when it appears. */
export function SelectionBar({ actions, ...props }: Props) {
  const bar = useRef<HTMLDivElement>(null)
  const onPhone = useOnPhone()
  useKeptFocus(bar, () => bar.current?.focus())
  return (
    <Group
      component="section"
      ref={bar}
      gap={onPhone ? 8 : '8px 12px'}
      m={onPhone ? '0 8px 12px' : '0 12px 12px'}
      p={onPhone ? '8px 4px 8px 14px' : '10px 12px 10px 16px'}
      className={styles.bar}
      data-bar
      aria-label="Selected QR codes"
      tabIndex={-1}
    >
      {actions.progress ? (
        <UnderWay work={actions.progress} onStop={actions.stop} />
      ) : (
        <Selected actions={actions} {...props} />
      )}
    </Group>
  )
}

function Selected({ selection, found, actions }: Props) {
  const { codes } = selection
  const onPhone = useOnPhone()
  const { choices, dialog } = useChoices(codes, actions)
  const tooMany = codes.length > ZIP_CODES_MAX
  const selectAll =
    codes.length < found.length &&
    choice(`Select all ${formatCount(found.length)}`, ListChecks, () => selection.set(found, true))
  return (
    <>
      <Text size="sm" fw={600} role="status" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {formatCount(codes.length)} selected
      </Text>
      {onPhone ? (
        <ChoiceMenu choices={selectAll ? [selectAll, ...choices] : choices} />
      ) : (
        <>
          {selectAll && (
            <Button variant="subtle" size="compact-sm" onClick={selectAll.onClick}>
              {selectAll.children}
            </Button>
          )}
          <Group flex={1} gap={8} justify="flex-end">
            {choices.map((about) => (
              <PlainButton key={about.children} size="sm" {...about} />
            ))}
          </Group>
        </>
      )}
      <Tooltip label="Clear selection">
        <CloseButton aria-label="Clear selection" onClick={selection.clear} size={36} />
      </Tooltip>
      {tooMany && (
        <Text size="xs" c="dimmed" ta="right" flex="0 1 100%">
          A zip can have up to {formatCount(ZIP_CODES_MAX)} QR codes
          {codes.length > SERIES_MAX && `, a design and labels up to ${formatCount(SERIES_MAX)}`}.
        </Text>
      )}
      {dialog}
    </>
  )
}

/** The properties of a button, or of an item of a menu */
const choice = (label: string, Icon: LucideIcon, onClick: () => void, disabled = false) => ({
  leftSection: <Icon size={16} />,
  children: label,
  onClick,
  disabled,
})
type Choice = ReturnType<typeof choice>

/** The actions on the ticked codes, and the dialog that one of them has opened. */
function useChoices(codes: QrCode[], actions: ReturnType<typeof useBatchActions>) {
  const [asked, setAsked] = useState<typeof designs>()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const open = (about: typeof designs) => () => {
    setAsked(about)
    setOpen(true)
  }
  const { mutate: saveTable } = useTableExport()
  const mayEdit = useMay('POST /api/qr-codes/bulk/change')
  const areSome = (state: boolean) => mayEdit && codes.some(({ isActive }) => isActive === state)
  const isBeyondSeries = codes.length > SERIES_MAX
  const zip = () => void askFirst(unreadableQuestion(codes), () => actions.download(codes))
  const remove = () =>
    confirm({ ...deletionQuestion(codes), onGo: () => void actions.remove(codes) })
  const choices = [
    areSome(true) && choice('Pause', Pause, () => void actions.pause(codes)),
    areSome(false) && choice('Resume', Play, () => void actions.resume(codes)),
    mayEdit && choice('Apply a design', Palette, open(designs), isBeyondSeries),
    mayEdit && choice('Change tags', Tag, open(tags)),
    choice('Print labels', Printer, open(labels), isBeyondSeries),
    choice('Export as CSV', TableProperties, () => saveTable(codes)),
    choice('Download as zip', FolderDown, zip, codes.length > ZIP_CODES_MAX),
    mayEdit && { ...choice('Delete', Trash2, remove), c: BAD_TEXT, color: BAD_TEXT },
  ]
  const dialog = asked && (
    <LateDialog key={asked.title} {...asked} opened={isOpen} onClose={close}>
      {({ Content }) => <Content codes={codes} onClose={close} />}
    </LateDialog>
  )
  return { choices: choices.filter((one) => one !== false), dialog }
}

/* The dialogs of choices, each loaded when it is first chosen. */

type Content = FunctionComponent<{ codes: QrCode[]; onClose: () => void }>

const designs = {
  title: 'Apply a design',
  what: 'Your designs',
  load: async (): Promise<{ Content: Content }> => ({
    Content: (await import('../styles/apply-style-dialog.tsx')).ApplyStyle,
  }),
}
const tags: typeof designs = {
  title: 'Change tags',
  what: 'Your tags',
  load: async () => ({ Content: (await import('../tags/tag-codes-dialog.tsx')).TagCodes }),
}
const labels = {
  title: 'Print labels',
  what: 'The labels',
  size: 920,
  isLarge: true,
  load: async () => ({ Content: (await import('../labels/labels-panel.tsx')).LabelsPanel }),
}

/** On a phone the bar is one line. */
function ChoiceMenu({ choices }: { choices: Choice[] }) {
  return (
    <Menu position="top-end" offset={4}>
      <Menu.Target>
        <Button size="sm" ml="auto" rightSection={<ChevronDown size={16} />}>
          Actions
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((about) => (
          <Menu.Item key={about.children} {...about} />
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function UnderWay({ work, onStop }: { work: Work; onStop: () => void }) {
  const { verb, done, total } = work
  const text = `${verb} ${formatCount(done)} of ${formatCount(total)}`
  return (
    <>
      <Text size="sm" fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {text}
      </Text>
      <Progress
        value={(done / total) * 100}
        aria-label={text}
        flex={1}
        miw={80}
        transitionDuration={0}
      />
      <PlainButton size="sm" onClick={onStop}>
        Stop
      </PlainButton>
    </>
  )
}
