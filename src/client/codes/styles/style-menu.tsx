import { ActionIcon, Menu } from '@mantine/core'
import { Ellipsis, PencilLine, RefreshCw, Star, StarOff, Trash2 } from 'lucide-react'
import type { KeptStyle } from '#contract/pictures/styles.ts'
import { confirm } from '../../ui/messages/confirm-dialog.tsx'
import { reportFailure } from '../../ui/messages/failure.ts'
import { toast } from '../../ui/messages/toast.tsx'
import { isSameLook, type LookValues, useChangeStyle, useDeleteStyle } from './queries.ts'

type Props = {
  one: KeptStyle
  /** The form's look; null while it cannot be kept. */
  look: LookValues | null
  onRename: () => void
}

/** The actions on a style, except using it. */
export function StyleMenu({ one, look, onRename }: Props) {
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
    <Menu position="bottom-end" shadow="md" transitionProps={{ duration: 0 }}>
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
