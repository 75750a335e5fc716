import { ActionIcon, Button, Modal, NativeSelect, TextInput } from '@mantine/core'
import { PencilLine, Tag as TagIcon, Trash2 } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type TagColour, tagColours } from '#contract/tag-values.ts'
import type { Tag } from '#contract/tags.ts'
import { ApiError } from '../../api.ts'
import { BusyButton } from '../../ui/busy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { counted } from '../../ui/formats.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { PanelBoundary } from '../../ui/messages/panel-boundary.tsx'
import { LoadedTags } from './loaded-tags.tsx'
import { useChangeTag, useMakeTag, useRemoveTag } from './queries.ts'
import { TagChip } from './tag-chips.tsx'
import { tagProblem, typedTag } from './tag-name.ts'
import styles from './tags.module.css'

type Props = { opened: boolean; onClose: () => void }

/** All tags of the account: their names, colours and end. */
export function TagsDialog({ opened, onClose }: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title="Tags" size="lg">
      <PanelBoundary what="Your tags">
        <LoadedTags>{(tags) => <Tags tags={tags} />}</LoadedTags>
      </PanelBoundary>
    </Modal>
  )
}

function Tags({ tags }: { tags: readonly Tag[] }) {
  const [edited, setEdited] = useState('')
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area, () => area.current?.focus())
  const closed = useRef('')
  const close = (id: string) => {
    closed.current = id
    setEdited('')
  }
  // The button that opened the form is there again.
  useEffect(() => {
    if (edited !== '' || closed.current === '') return
    area.current?.querySelector<HTMLElement>(`[data-edits="${closed.current}"]`)?.focus()
    closed.current = ''
  }, [edited])
  return (
    <div ref={area} tabIndex={-1}>
      <NewTag />
      {tags.length === 0 ? (
        <EmptyState
          icon={TagIcon}
          title="No tags yet"
          text="A tag puts QR codes together that belong together, such as those of a campaign or a place."
        />
      ) : (
        <ul className={styles.list} aria-label="Your tags">
          {tags.map((tag) => (
            <li key={tag.id} className={styles.row}>
              {tag.id === edited ? (
                <TagForm tag={tag} onDone={() => close(tag.id)} />
              ) : (
                <Shown tag={tag} onEdit={() => setEdited(tag.id)} />
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Shown({ tag, onEdit }: { tag: Tag; onEdit: () => void }) {
  const remove = useRemoveTag()
  const { id, name, colour, codes } = tag
  const askRemove = () =>
    confirm({
      title: 'Delete this tag?',
      text: (
        <>
          <b>{name}</b> leaves your tags
          {codes > 0 && ` and ${counted(codes, 'QR code')}`}. The codes themselves stay as they are.
        </>
      ),
      ...{ stay: 'Cancel', go: 'Delete' },
      onGo: () => remove.mutateAsync(tag),
    })
  return (
    <>
      <div>
        <TagChip name={name} colour={colour} />
      </div>
      <span className={styles.count}>{counted(codes, 'QR code')}</span>
      <div>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          data-edits={id}
          aria-label={`Change tag ${name}`}
          onClick={onEdit}
        >
          <PencilLine size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={40}
          aria-label={`Delete tag ${name}`}
          onClick={askRemove}
        >
          <Trash2 size={16} aria-hidden />
        </ActionIcon>
      </div>
    </>
  )
}

/** A refusal that belongs to the field; anything else is a toast. */
function refusalOf(error: unknown, otherwise: string): string | null {
  if (error instanceof ApiError && error.serverMessage && error.status !== 401) {
    return error.fields.name ?? error.serverMessage
  }
  reportFailure(error, otherwise)
  return null
}

function TagForm({ tag, onDone }: { tag: Tag; onDone: () => void }) {
  const [name, setName] = useState(tag.name)
  const [colour, setColour] = useState(tag.colour)
  const [problem, setProblem] = useState<string | null>(null)
  const change = useChangeTag()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted = typedTag(name)
    const wrong = wanted === '' ? 'Name is required' : tagProblem(wanted)
    setProblem(wrong)
    if (wrong || change.isPending) return
    change.mutate(
      { id: tag.id, name: wanted, colour },
      {
        onSuccess: onDone,
        onError: (error) => setProblem(refusalOf(error, 'Failed to change this tag')),
      },
    )
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone()
  }
  return (
    <form className={styles.form} onSubmit={save} onKeyDown={onKeyDown}>
      <TextInput
        ref={focusAndSelect}
        label={`New name of “${tag.name}”`}
        value={name}
        error={problem}
        autoComplete="off"
        data-mantine-stop-propagation="true"
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setProblem(null)
        }}
      />
      <ColourSelect value={colour} onChange={setColour} />
      <div className={styles.buttons}>
        <Button variant="default" size="sm" onClick={onDone}>
          Cancel
        </Button>
        <BusyButton size="sm" type="submit" busy={change.isPending} busyText="Saving...">
          Save tag
        </BusyButton>
      </div>
    </form>
  )
}

const colourNames = Object.fromEntries(
  tagColours.map((colour) => [colour, colour.replace(/^./, (letter) => letter.toUpperCase())]),
)

function ColourSelect({
  value,
  onChange,
}: {
  value: TagColour
  onChange: (colour: TagColour) => void
}) {
  return (
    <NativeSelect
      label="Colour"
      value={value}
      data-mantine-stop-propagation="true"
      onChange={(event) => onChange(event.currentTarget.value as TagColour)}
      data={tagColours.map((colour) => ({ value: colour, label: colourNames[colour] ?? colour }))}
    />
  )
}

function NewTag() {
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const make = useMakeTag()
  const name = typedTag(typed)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wrong = tagProblem(name)
    setProblem(wrong)
    if (wrong || name === '' || make.isPending) return
    make.mutate(
      { name },
      {
        onSuccess: () => setTyped(''),
        onError: (error) => setProblem(refusalOf(error, 'Failed to make this tag')),
      },
    )
  }
  return (
    <form onSubmit={save}>
      <TextInput
        label="New tag"
        value={typed}
        error={problem}
        autoComplete="off"
        data-autofocus
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setProblem(null)
        }}
        inputContainer={(input) => (
          <div className={styles.entry}>
            {input}
            <BusyButton
              type="submit"
              variant="default"
              busy={make.isPending}
              busyText="Making..."
              disabled={name === ''}
            >
              Make tag
            </BusyButton>
          </div>
        )}
      />
    </form>
  )
}

function focusAndSelect(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
