import { Badge, Box, Checkbox, Group, List } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { hasRight, type Role } from '#contract/accounts/roles.ts'
import {
  type GivenRole,
  type MadeInvitation,
  type Member,
  roleChange,
} from '#contract/accounts/team.ts'
import { request, requestJson } from '../../../api.ts'
import { formatDay } from '../../../formats.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { Row } from '../../../ui/rows.tsx'
import { RowChange } from '../../change-button.tsx'
import { roleWords } from '../../role-words.ts'
import { ChangeForm } from '../change-form.tsx'
import { withProof } from '../proof.tsx'
import { RoleChoice } from './role-choice.tsx'
import { memberPath, WORKSPACE } from './workspace-calls.ts'

type Props = {
  member: Member
  /** The reader's */
  role: Role
  /** Says how an offer of the workspace reaches its person. */
  show: (made: MadeInvitation) => void
}

/** A person of the workspace, with what the reader can do about them. */
export function MemberRow(props: Props) {
  const { name, email, role, since, isYou, hasSecondStep } = props.member
  const mayChange = hasRight(props.role, 'manage') && role !== 'owner' && !isYou
  return (
    <Row
      title={
        <Group gap="xs">
          <bdi>{name}</bdi>
          {isYou && <Mark>You</Mark>}
          {hasSecondStep && <Mark>Two-step verification</Mark>}
        </Group>
      }
      lines={[
        email,
        `${roleWords[role].label} since ${formatDay(since)}`,
        mayChange && <Changes key="changes" {...props} />,
      ]}
    />
  )
}

const Mark = ({ children }: { children: string }) => (
  <Badge variant="light" tt="none">
    {children}
  </Badge>
)

function Changes({ member, role, show }: Props) {
  const { id, name, programs } = member
  const [isOpen, setOpen] = useState(false)
  // Each question has a new box. The call reads it after the question has closed.
  const keepBox = useRef<HTMLInputElement>(null)
  const removal = (
    <Removal programs={programs}>
      {role === 'owner' && (
        <Checkbox
          label="Keep them as mine (API keys start paused)"
          ref={(box) => {
            if (box) keepBox.current = box
          }}
        />
      )}
    </Removal>
  )
  return (
    <Box c="var(--text)">
      <Group gap="xs" my="xs">
        <PlainButton
          size="xs"
          aria-expanded={isOpen}
          aria-label={`Change role of ${name}`}
          onClick={() => setOpen(!isOpen)}
        >
          Change role
        </PlainButton>
        {role === 'owner' && (
          <RowChange
            call={() =>
              withProof((password) =>
                requestJson<MadeInvitation>('POST', `${WORKSPACE}/hand-over`, {
                  memberId: id,
                  password,
                }),
              )
            }
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
            aria-label={`Make owner: ${name}`}
          >
            Make owner
          </RowChange>
        )}
        <RowChange
          call={() =>
            request('DELETE', memberPath(id) + (keepBox.current?.checked ? '?takeOver=true' : ''))
          }
          done="Member removed"
          failed="Failed to remove the member"
          question={{
            title: `Remove ${name}?`,
            text: removal,
            stay: 'Keep member',
            go: 'Remove member',
          }}
          aria-label={`Remove ${name}`}
        >
          Remove
        </RowChange>
      </Group>
      {isOpen && (
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
      )}
    </Box>
  )
}

type RemovalProps = Pick<Member, 'programs'> & { children: ReactNode }

/** The effects of a removal. The children offer to keep the programs. */
function Removal({ programs, children }: RemovalProps) {
  if (programs.length === 0) return 'They’re out right away. What they made here stays.'
  return (
    <>
      They’re out right away. What they made here stays.{' '}
      {children ? 'These stop working, unless you keep them:' : 'These stop working:'}
      <List size="sm" my="xs">
        {programs.map(({ name }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two keys can have one name
          <List.Item key={index}>{name}</List.Item>
        ))}
      </List>
      {children}
    </>
  )
}
