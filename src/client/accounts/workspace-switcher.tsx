import { Button, Menu, Text } from '@mantine/core'
import { Check, ChevronDown, Plus } from 'lucide-react'
import type { User, WorkspaceEntry } from '#contract/accounts/accounts.ts'
import { plans } from '#contract/billing/plans.ts'
import { capitalized } from '../formats.ts'
import { ask } from '../ui/messages/confirm-dialog.tsx'
import { Quiet } from '../ui/quiet.tsx'
import { addressIn, placeOf } from '../workspace.ts'
import { NewWorkspaceForm } from './new-workspace-form.tsx'
import styles from './site-header.module.css'

type Props = { user: User; workspaces: readonly WorkspaceEntry[] }

/** Goes to another workspace, which is another page: nothing that this one has read or asked goes along. */
export function WorkspaceSwitcher({ user, workspaces }: Props) {
  const place = placeOf(user)
  const askForNew = () => ask({ title: 'New workspace', children: <NewWorkspaceForm /> })
  return (
    <Menu position="bottom-start" width={280} withinPortal={false}>
      <Menu.Target>
        <Button
          variant="default"
          size="xs"
          px="xs"
          className={styles.place}
          aria-label={place && `Workspace: ${place.name}`}
          rightSection={<ChevronDown size={14} aria-hidden />}
        >
          <Text span inherit truncate>
            {place?.name ?? 'Workspaces'}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {workspaces.map((one) => (
          <Menu.Item
            key={one.id}
            component="a"
            href={addressIn(one, '/dashboard')}
            aria-current={one === place || undefined}
            rightSection={one === place && <Check size={16} aria-hidden />}
          >
            <Text size="sm" fw={600} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
              <bdi>{one.name}</bdi>
            </Text>
            <Quiet c="inherit">
              {capitalized(one.role)}, {plans[one.subscriptionTier].name} plan
            </Quiet>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Plus size={16} aria-hidden />} onClick={askForNew}>
          New workspace
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
