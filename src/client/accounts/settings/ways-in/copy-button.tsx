import { Button } from '@mantine/core'
import { Copy } from 'lucide-react'
import { writeToClipboard } from '../../../files/clipboard.ts'
import { toast } from '../../../ui/messages/toast.tsx'

export function CopyButton({ text, children }: { text: string; children: string }) {
  const copy = () =>
    writeToClipboard(text).then(
      () => toast.success('Copied to clipboard'),
      () => toast.error('The browser did not copy it. Select it and copy it yourself.'),
    )
  return (
    <Button variant="default" size="xs" leftSection={<Copy size={14} aria-hidden />} onClick={copy}>
      {children}
    </Button>
  )
}
