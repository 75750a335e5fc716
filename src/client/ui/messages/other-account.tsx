import { Button, Group, Text } from '@mantine/core'
import { type SignedInNow, useSignedInNow } from '../../page-owner.ts'
import { LateModal } from '../dialog/late-modal.tsx'
import { goToSignIn } from '../sign-in-again.ts'

type Words = { title: string; text: string; button: string; act: () => void }

const words: Record<Exclude<SignedInNow, 'owner'>, Words> = {
  other: {
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
}

/** Lies over everything: a page whose account has changed does nothing more. */
export function OtherAccount() {
  const now = useSignedInNow()
  return (
    <LateModal
      opened={now !== 'owner'}
      onClose={() => {}}
      title={now === 'owner' ? undefined : words[now].title}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      centered
      zIndex={1001}
      transitionProps={{ duration: 0 }}
      // A dialog beneath must not close on an Esc that is pressed here.
      data-mantine-stop-propagation
    >
      {now !== 'owner' && <Answer {...words[now]} />}
    </LateModal>
  )
}

function Answer({ text, button, act }: Words) {
  return (
    <>
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg">
        <Button onClick={act} data-autofocus data-mantine-stop-propagation>
          {button}
        </Button>
      </Group>
    </>
  )
}
