import { ActionIcon, Box, Button, Menu, Switch, Text } from '@mantine/core'
import { Bookmark, Ellipsis, PencilLine, RefreshCw, Star, StarOff, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { lookOf } from '#contract/pictures/pictures.ts'
import { type KeptStyle, styleName } from '#contract/pictures/styles.ts'
import { z } from '#contract/zod.ts'
import { useKeptFocus } from '../../ui/focus.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'
import { Line, Quiet } from '../../ui/quiet.tsx'
import type { EditorForm } from '../editor/editor.ts'
import { Choices } from '../editor/fields.tsx'
import { NameForm } from '../name-form.tsx'
import {
  isSameLook,
  type LookValues,
  lookIn,
  useChangeStyle,
  useDeleteStyle,
  useSaveStyle,
  useStyles,
} from './queries.ts'
import { StyleSample } from './style-sample.tsx'

/** How the cards of designs stand: as wide as a name needs, and no higher than a part of the form. */
export const DESIGNS = {
  minColWidth: 'min(100%, 210px)',
  mah: 'min(50vh, 254px)',
  p: 2,
  style: { overflowY: 'auto' },
} as const

/** The account's styles. A press on one gives the form its whole look. */
export function MyStyles({ form }: { form: EditorForm }) {
  const kept = useStyles()
  const [named, setNamed] = useState<'none' | KeptStyle | undefined>('none')
  const area = useRef<HTMLDivElement>(null)
  const save = useRef<HTMLButtonElement>(null)
  useKeptFocus(area, () => save.current?.focus())
  const look = lookIn(form.values)
  const all = kept.data ?? []
  const close = () => {
    setNamed('none')
    requestAnimationFrame(() => save.current?.focus())
  }
  return (
    <div ref={area}>
      <Choices
        label="My designs"
        items={all}
        chosen={look ? all.find((one) => isSameLook(one.look, look)) : undefined}
        idOf={({ id }) => id}
        onChange={(one) => form.setValues(one.look)}
        grid={DESIGNS}
        card={() => ({ pr: 48, 'data-design': true })}
        menu={(one) => <StyleMenu one={one} look={look} onRename={() => setNamed(one)} />}
      >
        {(one) => (
          <>
            <StyleSample look={lookOf(one.look)} />
            <Box component="span" miw={0}>
              <Text component="span" display="block" size="sm" truncate>
                {one.name}
              </Text>
              {one.isDefault && <Line truncate>For new codes</Line>}
            </Box>
          </>
        )}
      </Choices>
      {kept.isError && (
        <Quiet>
          Your designs couldn’t be loaded.{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => kept.refetch()}>
            Try again
          </Button>
        </Quiet>
      )}
      {kept.isSuccess && all.length === 0 && named === 'none' && (
        <Quiet size="xs">Save this design to reuse it on other codes.</Quiet>
      )}
      {named === 'none' ? (
        <PlainButton
          ref={save}
          size="sm"
          mt={8}
          leftSection={<Bookmark size={16} />}
          onClick={() => setNamed(undefined)}
        >
          Save this design
        </PlainButton>
      ) : (
        <StyleName key={named?.id} one={named} look={look} onDone={close} />
      )}
    </div>
  )
}

const schema = z.object({ name: styleName })
const WRONG_LOOK = 'Fix its colors or text first.'

type NameProps = {
  /** The style that gets another name; without one, the form's look is kept */
  one: KeptStyle | undefined
  look: LookValues | null
  onDone: () => void
}

function StyleName({ one, look, onDone }: NameProps) {
  const keep = useSaveStyle()
  const change = useChangeStyle()
  return (
    <NameForm
      label={one ? `New name of “${one.name}”` : 'Design name'}
      initialValues={{ name: one?.name ?? '', isDefault: false }}
      schema={schema}
      save={({ name, isDefault }, answers, form) => {
        if (one) change.mutate({ id: one.id, name }, answers)
        else if (look) keep.mutate({ name, isDefault, look }, answers)
        else form.setErrors({ name: WRONG_LOOK })
      }}
      failed={one ? 'Failed to rename this design' : 'Failed to save this design'}
      busy={keep.isPending || change.isPending}
      go={one ? 'Rename' : 'Save design'}
      onDone={onDone}
    >
      {(form) =>
        !one && (
          <Switch
            size="sm"
            label="Use for new codes"
            {...form.getInputProps('isDefault', { type: 'checkbox' })}
          />
        )
      }
    </NameForm>
  )
}

type Props = {
  one: KeptStyle
  /** The form's look; null while it cannot be kept. */
  look: LookValues | null
  onRename: () => void
}

/** The actions on a style, except using it. */
function StyleMenu({ one, look, onRename }: Props) {
  const { name, isDefault } = one
  const remove = useDeleteStyle()
  const change = useChangeStyle()
  const set = (more: { isDefault: boolean } | { look: LookValues }, done: string) =>
    change.mutate(
      { id: one.id, ...more },
      {
        onSuccess: () => toast.success(done),
        onError: (error) => reportFailure(error, 'Failed to change this design'),
      },
    )
  const askRemove = () =>
    confirm({
      title: 'Delete this design?',
      text: (
        <>
          <b>{name}</b> leaves your designs. Codes that use it stay as they are.
        </>
      ),
      go: 'Delete',
      onGo: () => remove.mutateAsync(one),
    })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          size={36}
          pos="absolute"
          top="calc(50% - 18px)"
          right={6}
          aria-label={`More for design ${name}`}
        >
          <Ellipsis size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<PencilLine size={16} />} onClick={onRename}>
          Rename
        </Menu.Item>
        {look && !isSameLook(look, one.look) && (
          <Menu.Item
            leftSection={<RefreshCw size={16} />}
            onClick={() => set({ look }, `Design “${name}” updated`)}
          >
            Update to match this code
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={isDefault ? <StarOff size={16} /> : <Star size={16} />}
          onClick={() =>
            set(
              { isDefault: !isDefault },
              isDefault
                ? 'New codes start in black and white again'
                : `New codes start with “${name}”`,
            )
          }
        >
          {isDefault ? 'Stop using for new codes' : 'Use for new codes'}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="var(--bad)" leftSection={<Trash2 size={16} />} onClick={askRemove}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
