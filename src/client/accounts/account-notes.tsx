import { Button } from '@mantine/core'
import { CalendarX, Eye, MailQuestion } from 'lucide-react'
import { useRef, useState } from 'react'
import type { User } from '#contract/accounts.ts'
import { formatDay } from '../dates.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { useFocusInside } from '../ui/focus.ts'
import { NO_MAIL_SERVER, WHERE_IT_IS } from './mail-words.ts'
import styles from './notice.module.css'
import { Notice } from './notice.tsx'
import { ProofButton } from './proof-button.tsx'
import { useConfig, useRestoreAccount, useZoneTold } from './queries.ts'

/** What somebody should know about their account, above the page. Each can be closed for the session. */
export function AccountNotes({ user }: { user: User }) {
  const { isClosed, close } = useClosedNote(user)
  useZoneTold(user)
  const area = useRef<HTMLDivElement>(null)
  useFocusInside(area)
  return (
    <div ref={area} tabIndex={-1} className={styles.notes}>
      {user.demo === 'live' && <LiveDemo />}
      {!isClosed && user.demo === 'local' && <LocalDemo onClose={close} />}
      {!isClosed && user.deletionAt && <Ending until={user.deletionAt} onClose={close} />}
      {!isClosed && !user.deletionAt && !user.emailVerified && !user.demo && (
        <Unproved user={user} onClose={close} />
      )}
    </div>
  )
}

/** It stays: nothing on the page says otherwise that it belongs to nobody. */
function LiveDemo() {
  return (
    <Notice
      icon={Eye}
      title="This is a live demo"
      actions={
        <Button component="a" size="xs" href="/api/login?new">
          Create your account
        </Button>
      }
    >
      Look at everything: the café, its codes and their scans are made up, and nothing here can be
      changed.
    </Notice>
  )
}

function LocalDemo({ onClose }: { onClose: () => void }) {
  return (
    <Notice
      icon={Eye}
      title="This is a demo"
      actions={
        <BusyButton size="xs" variant="default" busy={false} onClick={onClose}>
          Got it
        </BusyButton>
      }
    >
      Change what you like. Its codes lead to this computer only, so do not print them.
    </Notice>
  )
}

function Ending({ until, onClose }: { until: string; onClose: () => void }) {
  const restore = useRestoreAccount()
  const title = `This account will be deleted on ${formatDay(until)}`
  return (
    <Notice
      icon={CalendarX}
      title={title}
      actions={
        <>
          <BusyButton
            size="xs"
            busy={restore.isPending}
            busyText="Restoring..."
            onClick={() => restore.mutate()}
          >
            Restore account
          </BusyButton>
          <BusyButton size="xs" variant="default" busy={false} onClick={onClose}>
            Keep deleting
          </BusyButton>
        </>
      }
    >
      Until then your QR codes keep working. If you restore it, everything stays as it was.
    </Notice>
  )
}

function Unproved({ user, onClose }: { user: User; onClose: () => void }) {
  const { data: config } = useConfig()
  const mail = config?.mail ?? 'smtp'
  return (
    <Notice
      icon={MailQuestion}
      title="Confirm your e-mail address"
      actions={
        <>
          <ProofButton email={user.email} mail={mail} />
          <BusyButton size="xs" variant="default" busy={false} onClick={onClose}>
            Not now
          </BusyButton>
        </>
      }
    >
      {mail === 'smtp'
        ? `Open the link that we mailed to ${user.email}. Then you can get back in if you ever forget your password.`
        : `${NO_MAIL_SERVER}. ${WHERE_IT_IS}`}
    </Notice>
  )
}

const KEY = 'closed-note'

/** Which note this tab does not show again; a new state of the account is a new note. */
function useClosedNote({ id, deletionAt }: User) {
  const note = `${id} ${deletionAt ?? 'unproved'}`
  const [closed, setClosed] = useState(readClosed)
  const close = () => {
    setClosed(note)
    try {
      sessionStorage.setItem(KEY, note)
    } catch {
      // A tab that may store nothing shows the note again after a reload.
    }
  }
  return { isClosed: closed === note, close }
}

function readClosed(): string | null {
  try {
    return sessionStorage.getItem(KEY)
  } catch {
    return null
  }
}
