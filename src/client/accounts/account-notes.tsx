import { Box, Button, Group, Text } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { CalendarX, Eye, type LucideIcon, MailQuestion } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { User } from '#contract/accounts/accounts.ts'
import type { Workspace } from '#contract/accounts/team.ts'
import { request } from '../api.ts'
import { capitalized, formatDay } from '../formats.ts'
import { useKeptFocus } from '../ui/focus.ts'
import note from '../ui/note.module.css'
import { PlainButton } from '../ui/plain-button.tsx'
import rows from '../ui/rows.module.css'
import { ChangeButton, RowChange } from './change-button.tsx'
import { isOverPlan, useConfig, useWorkspace, useZoneTold } from './queries.ts'

/** A note about the account, above the page. The user can close most of them for the session. */
export function AccountNotes({ user }: { user: User }) {
  const { isClosed, close } = useClosedNote(user)
  useZoneTold(user)
  const { data: config } = useConfig()
  const area = useRef<HTMLDivElement>(null)
  useKeptFocus(area)
  // Without a mail server no link can be opened.
  const note = noteOf(user, useWorkspace(user), config?.mail === 'smtp')
  const isShown = note && !(note.close && isClosed)
  // Without a note it is there for the focus alone, and no gap stands after it.
  return (
    <Box ref={area} tabIndex={-1} pos={isShown ? undefined : 'absolute'}>
      {isShown && (
        <Notice
          {...note}
          actions={
            <>
              {note.actions}
              {note.close && (
                <PlainButton size="xs" onClick={close}>
                  {note.close}
                </PlainButton>
              )}
            </>
          }
        />
      )}
    </Box>
  )
}

/** The note that the account needs now; `close` is the label of the button that closes it. */
function noteOf(user: User, workspace: Workspace | undefined, hasMail: boolean): Note | undefined {
  const { demo, deletionAt, email, emailVerified } = user
  if (demo === 'live') {
    // It cannot be closed: nothing else on the page says that the account is a demo.
    return {
      icon: Eye,
      title: 'This is a live demo',
      children:
        'Explore everything. Nothing is saved. The café, its codes, and their scans are made up.',
      actions: (
        <Button component="a" size="xs" href="/api/login?new">
          Create your account
        </Button>
      ),
    }
  }
  if (demo) {
    return {
      icon: Eye,
      title: 'This is a demo',
      children:
        'Change what you like. These codes only work on this computer, so don’t print them.',
      close: 'Got it',
    }
  }
  if (deletionAt) {
    return {
      icon: CalendarX,
      title: `This account will be deleted on ${formatDay(deletionAt)}`,
      children: UNTIL_THEN,
      actions: <RestoreButton what="account" size="xs" />,
      close: 'Delete as planned',
    }
  }
  if (workspace?.deletionAt) {
    const isOwner = workspace.role === 'owner'
    return {
      icon: CalendarX,
      title: `This workspace will be deleted on ${formatDay(workspace.deletionAt)}`,
      children: isOwner
        ? UNTIL_THEN
        : 'Until then, its QR codes keep working. Only its owner can restore it.',
      actions: isOwner && <RestoreButton what="workspace" size="xs" />,
    }
  }
  if (workspace && isOverPlan(workspace) && ['admin', 'editor'].includes(workspace.role)) {
    return {
      icon: Eye,
      title: 'You can only view this workspace',
      children:
        'It has more people than its plan has room for. You can make changes again once its plan is upgraded.',
    }
  }
  if (emailVerified || !hasMail) return undefined
  return {
    icon: MailQuestion,
    title: 'Confirm your email address',
    children: `Open the link we emailed to ${email}. Then you can get back in if you ever forget your password.`,
    actions: <ProofButton email={email} />,
    close: 'Not now',
  }
}

export const UNTIL_THEN =
  'Until then, its QR codes keep working. If you restore it, everything stays as it was.'

type Note = NoticeProps & { close?: string }
type NoticeProps = { icon: LucideIcon; title: string; children: ReactNode; actions?: ReactNode }

/** A note about the account, with buttons for what its owner can do. */
export function Notice({ icon: Icon, title, children, actions }: NoticeProps) {
  return (
    <Box component="section" p="12px 16px" className={note.note} aria-label={title}>
      <Icon size={18} aria-hidden />
      <div className={rows.words}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" component="div">
          {children}
        </Text>
        <Group gap="xs" mt="xs">
          {actions}
        </Group>
      </div>
    </Box>
  )
}

export function RestoreButton({ what, size }: { what: 'account' | 'workspace'; size?: string }) {
  return (
    <ChangeButton
      call={() => request('DELETE', `/api/${what}/deletion`)}
      done={`${capitalized(what)} restored`}
      failed={`Failed to restore the ${what}`}
      variant="filled"
      size={size}
    >
      {`Restore ${what}`}
    </ChangeButton>
  )
}

/** Asks for a mail whose link confirms the address. */
export function ProofButton({ email }: { email: string }) {
  return (
    <RowChange
      call={() => request('POST', '/api/auth/verify-email/send', { email })}
      done={`We emailed a link to ${email}. Not there? Check your spam folder.`}
      failed="Failed to send the email"
    >
      Send link again
    </RowChange>
  )
}

/** The note that this tab does not show again; a new state of the account is a new note. */
function useClosedNote({ id, deletionAt }: User) {
  const note = `${id} ${deletionAt ?? 'unproved'}`
  // A tab that may store nothing shows the note again after a reload.
  const [closed, setClosed] = useSessionStorage<string>({
    key: 'closed-note',
    getInitialValueInEffect: false,
  })
  return { isClosed: closed === note, close: () => setClosed(note) }
}
