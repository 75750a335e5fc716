import { ActionIcon, Box, Group, NativeSelect } from '@mantine/core'
import { PencilLine, Tag as TagIcon, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { tagColours } from '#contract/codes/code-values.ts'
import type { Tag } from '#contract/codes/tags.ts'
import { z } from '#contract/zod.ts'
import { capitalized, counted } from '../../formats.ts'
import { Loaded } from '../../ui/dialog/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useKeptFocus } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { Quiet } from '../../ui/quiet.tsx'
import rows from '../../ui/rows.module.css'
import { NameForm } from '../name-form.tsx'
import { NewTag, typedName, typedTag } from './new-tag.tsx'
import { useChangeTag, useMakeTag, useRemoveTag, useTags } from './queries.ts'
import { TagChip } from './tag-chips.tsx'

/** All tags of the account: their names, colours and end. */
export function Tags() {
  return (
    <Loaded query={useTags()} what="Your tags">
      {(all) => <TagList tags={all} />}
    </Loaded>
  )
}

function TagList({ tags }: { tags: readonly Tag[] }) {
  const make = useMakeTag()
  const [edited, setEdited] = useState('')
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area, () => area.current?.focus())
  const close = (id: string) => {
    setEdited('')
    // The button that opened the form is there again.
    const opener = () => area.current?.querySelector<HTMLElement>(`[data-edits="${id}"]`)
    requestAnimationFrame(() => opener()?.focus())
  }
  return (
    <div ref={area} tabIndex={-1}>
      <NewTag
        go="Create tag"
        busy={make.isPending}
        add={(name, answers) => make.mutate({ name }, answers)}
      />
      {tags.length === 0 ? (
        <EmptyState
          icon={TagIcon}
          title="No tags yet"
          text="Use tags to group QR codes, such as by campaign or place."
        />
      ) : (
        <Box component="ul" mt="md" className={rows.rows} aria-label="Your tags">
          {tags.map((tag) => (
            <Group key={tag.id} component="li" gap={12} wrap="nowrap" py={6}>
              {tag.id === edited ? (
                <TagForm tag={tag} onDone={() => close(tag.id)} />
              ) : (
                <Shown tag={tag} onEdit={() => setEdited(tag.id)} />
              )}
            </Group>
          ))}
        </Box>
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
          <b>{name}</b> will be removed
          {codes > 0 && ` from ${counted(codes, 'QR code')}`}. The codes themselves won’t change.
        </>
      ),
      go: 'Delete',
      onGo: () => remove.mutateAsync(tag),
    })
  return (
    <>
      <Box flex={1} miw={0}>
        <TagChip name={name} colour={colour} />
      </Box>
      <Quiet style={COUNT}>{counted(codes, 'QR code')}</Quiet>
      <Group gap={0} wrap="nowrap">
        <ActionIcon size={40} data-edits={id} aria-label={`Change tag ${name}`} onClick={onEdit}>
          <PencilLine size={16} />
        </ActionIcon>
        <ActionIcon size={40} aria-label={`Delete tag ${name}`} onClick={askRemove}>
          <Trash2 size={16} />
        </ActionIcon>
      </Group>
    </>
  )
}

const COUNT = { fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' } as const

const schema = z.object({ name: typedName })

function TagForm({ tag, onDone }: { tag: Tag; onDone: () => void }) {
  const change = useChangeTag()
  return (
    <NameForm
      label={`New name of “${tag.name}”`}
      initialValues={{ name: tag.name, colour: tag.colour }}
      schema={schema}
      save={({ name, colour }, answers) =>
        change.mutate({ id: tag.id, name: typedTag(name), colour }, answers)
      }
      failed="Failed to change this tag"
      busy={change.isPending}
      go="Save tag"
      onDone={onDone}
    >
      {(form) => (
        <NativeSelect
          label="Color"
          data-mantine-stop-propagation="true"
          data={colours}
          {...form.getInputProps('colour')}
        />
      )}
    </NameForm>
  )
}

const colours = tagColours.map((value) => ({
  value,
  label: capitalized(value === 'grey' ? 'gray' : value),
}))
