import { Button, Stack } from '@mantine/core'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { copyText } from '../../files/clipboard.ts'
import { ask } from '../../ui/messages/confirm-dialog.tsx'
import { PlainButton } from '../../ui/plain-button.tsx'

type Once = { title: string; done: string; onClosed?: () => void; children: ReactNode }

/** Shows something once, so only its button closes the dialog. */
export function showOnce({ done, children, ...dialog }: Once): void {
  const close = ask({
    ...dialog,
    isAnswered: true,
    children: (
      <Stack>
        {children}
        <Button onClick={() => close()} data-autofocus>
          {done}
        </Button>
      </Stack>
    ),
  })
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
