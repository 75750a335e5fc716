import { Button, Stack } from '@mantine/core'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { copyText } from '../../files/clipboard.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'

type Props<Shown> = {
  title: string
  shown: Shown | null
  done: string
  onClose: () => void
  children: (shown: Shown) => ReactNode
}

/** Shows something once, so only its button closes the dialog. */
export function ShownOnce<Shown>({ title, shown, done, onClose, children }: Props<Shown>) {
  return (
    <Dialog opened={shown !== null} onClose={onClose} title={title} what={title} isAnswered>
      {shown !== null && (
        <Stack>
          {children(shown)}
          <Button onClick={onClose} data-autofocus>
            {done}
          </Button>
        </Stack>
      )}
    </Dialog>
  )
}

export function CopyButton({ text, children }: { text: string; children: string }) {
  const failed = 'Your browser didn’t copy it. Select it and copy it yourself.'
  const copy = () => copyText(text, 'Copied to clipboard', failed)
  return (
    <PlainButton size="xs" leftSection={<Copy size={14} aria-hidden />} onClick={copy}>
      {children}
    </PlainButton>
  )
}
