import { Button, Group, Text } from '@mantine/core'
import { type SignedInNow, useSignedInNow } from '../../page-owner.ts'
import { keepWorkspace } from '../../workspace.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { PlainButton } from '../plain-button.tsx'
import { goToSignIn } from './sign-in-again.ts'

const goHome = () => window.location.assign('/dashboard')

/** `canLeave`: for one's own workspace, instead of the button */
type Words = { title: string; text: string; button: string; act: () => void; canLeave?: true }

const words: Record<Exclude<SignedInNow, 'owner'>, Words> = {
  other_account: {
    title: 'You’re logged in to another account',
    text: 'Another account was opened in this browser. This page belongs to the previous one, so it can’t save anything. If you still need what you typed, log in to the previous account in another tab and come back here.',
    button: 'Reload the page',
    act: () => window.location.reload(),
  },
  'signed-out': {
    title: 'You’re logged out',
    text: 'You logged out in another tab. We’ll keep what you typed here while you log in again.',
    button: 'Log in again',
    act: goToSignIn,
  },
  workspace_not_found: {
    title: 'You’re not in this workspace',
    text: 'You’re no longer a member of it, or it was deleted. Everything in your own workspace is still there.',
    button: 'Go to your own workspace',
    act: goHome,
  },
  second_step_needed: {
    title: 'Turn on two-step verification',
    text: 'This workspace requires it. It takes an authenticator app and about a minute.',
    button: 'Set it up',
    act: () => window.location.assign(keepWorkspace('/profile?settings=sign-in')),
    canLeave: true,
  },
}

/** Lies over everything: a page whose account or workspace is another one does nothing more. */
export function OtherAccount() {
  const now = useSignedInNow()
  return (
    <Dialog
      opened={now !== 'owner'}
      onClose={() => {}}
      title={now === 'owner' ? undefined : words[now].title}
      what="This message"
      zIndex={1001}
      isAnswered
      // A dialog beneath must not close on an Esc that is pressed here.
      data-mantine-stop-propagation
    >
      {now !== 'owner' && <Answer {...words[now]} />}
    </Dialog>
  )
}

function Answer({ text, button, act, canLeave }: Words) {
  return (
    <>
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg">
        {canLeave && (
          <PlainButton onClick={goHome} data-mantine-stop-propagation>
            Go to your own workspace
          </PlainButton>
        )}
        <Button onClick={act} data-autofocus data-mantine-stop-propagation>
          {button}
        </Button>
      </Group>
    </>
  )
}
