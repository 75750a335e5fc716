import { Badge, Box, Checkbox, Group, List } from '@mantine/core'
import { useRef, useState } from 'react'
import type { Role } from '#contract/accounts/roles.ts'
import {
  type GivenRole,
  type MadeInvitation,
  type Member,
  roleChange,
} from '#contract/accounts/team.ts'
import { request, requestJson } from '../../../api.ts'
import { capitalized, formatDay } from '../../../formats.ts'
import { PlainButton } from '../../../ui/plain-button.tsx'
import { Row } from '../../../ui/rows.tsx'
import { useMay } from '../../../workspace.ts'
import { RowChange } from '../../change-button.tsx'
import { ChangeForm } from '../change-form.tsx'
import { withProof } from '../proof.tsx'
import { showMade } from './invitations.tsx'
import { RoleChoice } from './role-choice.tsx'
import { WORKSPACE } from './workspace-calls.ts'

/** `role` is the reader's. */
type Props = { member: Member; role: Role }

/** A person of the workspace, with what the reader can do about them. */
export function MemberRow({ member, role }: Props) {
  const { name, email, since, isYou, hasSecondStep } = member
  const mayChange = useMay('PATCH /api/workspace/members/:memberId')
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
        `${capitalized(member.role)} since ${formatDay(since)}`,
        mayChange && member.role !== 'owner' && !isYou && (
          <Changes key="changes" member={member} role={role} />
        ),
      ]}
    />
  )
}

const Mark = ({ children }: { children: string }) => (
  <Badge variant="light" tt="none">
    {children}
  </Badge>
)

const REMOVAL = 'They lose access right away. What they made here stays.'

function Changes({ member, role }: Props) {
  const { id, name, programs } = member
  const path = `${WORKSPACE}/members/${id}`
  const isOwner = role === 'owner'
  const [isOpen, setOpen] = useState(false)
  // Each question has a new box. The call reads it after the question has closed.
  const keepBox = useRef<HTMLInputElement>(null)
  const removal = (
    <>
      {REMOVAL} These keys and apps stop working{isOwner && ', unless you keep them'}:
      <List size="sm" my="xs">
        {programs.map((program) => (
          <List.Item key={program.id}>{program.name}</List.Item>
        ))}
      </List>
      {isOwner && (
        <Checkbox
          label="Keep them as mine (API keys start paused)"
          ref={(box) => {
            if (box) keepBox.current = box
          }}
        />
      )}
    </>
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
        {isOwner && (
          <RowChange
            call={() =>
              withProof((password) => {
                const body = { memberId: id, password }
                return requestJson<MadeInvitation>('POST', `${WORKSPACE}/hand-over`, body)
              })
            }
            show={showMade}
            failed="Failed to offer the workspace"
            busyText="Offering..."
            question={{
              title: `Hand this workspace over to ${name}?`,
              text: 'Once they accept, they own it and pay for its plan with their own card. You stay as an admin, and we stop charging you.',
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
          call={() => request('DELETE', path + (keepBox.current?.checked ? '?takeOver=true' : ''))}
          done="Member removed"
          failed="Failed to remove the member"
          question={{
            title: `Remove ${name}?`,
            text: programs.length > 0 ? removal : REMOVAL,
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
          call={(body) => request('PATCH', path, body)}
          done="Role changed"
          failed="Failed to change the role"
          onDone={() => setOpen(false)}
          label={`Role of ${name}`}
          button="Save role"
        >
          <RoleChoice />
        </ChangeForm>
      )}
    </Box>
  )
}
