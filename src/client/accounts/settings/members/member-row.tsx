import { Badge, Box, Checkbox, Group, List, Text } from '@mantine/core'
import { useRef, useState } from 'react'
import { hasRight, type Role } from '#contract/roles.ts'
import { type GivenRole, type MadeInvitation, type Member, roleChange } from '#contract/team.ts'
import { request } from '../../../api.ts'
import { formatDay } from '../../../formats.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { Quiet } from '../../../ui/quiet.tsx'
import rows from '../../../ui/rows.module.css'
import { RowChange } from '../../change-button.tsx'
import { roleWords } from '../../role-words.ts'
import { ChangeForm } from '../change-form.tsx'
import { RoleChoice } from './role-choice.tsx'
import { memberPath, offerTo } from './workspace-calls.ts'

type Props = {
  member: Member
  /** The reader's */
  role: Role
  /** Says how an offer of the workspace reaches its person. */
  show: (made: MadeInvitation) => void
}

/** A person of the workspace, with what the reader can do about them. */
export function MemberRow({ member, role, show }: Props) {
  const { id, name, email, since, isYou, hasSecondStep, programs } = member
  const [isOpen, setOpen] = useState(false)
  const takesOver = useRef(false)
  const mayChange = hasRight(role, 'manage') && member.role !== 'owner' && !isYou
  return (
    <li>
      <Group gap="xs">
        <Text fw={600} className={rows.words} flex="0 1 auto">
          <bdi>{name}</bdi>
        </Text>
        {isYou && <Mark>You</Mark>}
        {hasSecondStep && <Mark>Two-step verification</Mark>}
      </Group>
      <Quiet style={{ overflowWrap: 'anywhere' }}>{email}</Quiet>
      <Quiet>
        {roleWords[member.role].label} since {formatDay(since)}
      </Quiet>
      {mayChange && (
        <Group gap="xs" mt="xs">
          <PlainButton
            size="xs"
            aria-expanded={isOpen}
            aria-label={`Change the role of ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            Change role
          </PlainButton>
          {role === 'owner' && (
            <RowChange
              call={() => offerTo(id)}
              show={show}
              failed="Failed to offer the workspace"
              busyText="Offering..."
              question={{
                title: `Hand this workspace over to ${name}?`,
                text: 'They get an email and accept it. Then they’re the owner and pay for the plan with their own card. You stay as an admin, and we no longer charge you for it.',
                stay: 'Cancel',
                go: 'Hand over',
                grave: false,
              }}
              aria-label={`Make ${name} the owner`}
            >
              Make owner
            </RowChange>
          )}
          <RowChange
            call={() => {
              const query = takesOver.current ? '?takeOver=true' : ''
              return request('DELETE', memberPath(id) + query)
            }}
            done="Member removed"
            failed="Failed to remove the member"
            question={{
              title: `Remove ${name}?`,
              text: (
                <Removal
                  programs={programs}
                  onTakeOver={
                    role === 'owner' &&
                    ((isChosen) => {
                      takesOver.current = isChosen
                    })
                  }
                />
              ),
              stay: 'Keep member',
              go: 'Remove member',
            }}
            aria-label={`Remove ${name}`}
          >
            Remove
          </RowChange>
        </Group>
      )}
      {isOpen && (
        <Box mt="sm">
          <ChangeForm
            schema={roleChange}
            initialValues={{ role: member.role as GivenRole }}
            call={(body) => request('PATCH', memberPath(id), body)}
            done="Role changed"
            failed="Failed to change the role"
            onDone={() => setOpen(false)}
            label={`Role of ${name}`}
            button="Save role"
          >
            {(form) => <RoleChoice {...form.getInputProps('role')} />}
          </ChangeForm>
        </Box>
      )}
    </li>
  )
}

const Mark = ({ children }: { children: string }) => (
  <Badge variant="light" tt="none">
    {children}
  </Badge>
)

type RemovalProps = Pick<Member, 'programs'> & {
  /** Only the owner can take the keys and apps over. */
  onTakeOver: ((isChosen: boolean) => void) | false
}

/** What ends with a membership. */
function Removal({ programs, onTakeOver }: RemovalProps) {
  const [isKept, setKept] = useState(false)
  const choose = (isChosen: boolean) => {
    setKept(isChosen)
    if (onTakeOver) onTakeOver(isChosen)
  }
  return (
    <>
      They’re out right away. What they made here stays.
      {programs.length > 0 && (
        <>
          <Text size="sm" mt="sm">
            {isKept ? 'These keep working as yours:' : 'These stop working:'}
          </Text>
          <List size="sm" my="xs">
            {programs.map(({ kind, name }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two keys can have one name
              <List.Item key={index}>
                {kind === 'key' ? 'API key' : 'Connected app'} “{name}”
              </List.Item>
            ))}
          </List>
          {onTakeOver && (
            <Checkbox
              label="Keep them working as mine"
              checked={isKept}
              onChange={(event) => choose(event.currentTarget.checked)}
            />
          )}
        </>
      )}
    </>
  )
}
