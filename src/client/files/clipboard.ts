import { toast } from '../ui/messages/toast.tsx'

/** Copies a text, and says so in a toast. */
export function copyText(
  text: string,
  done: string,
  failed: string,
  title?: string,
): Promise<void> {
  return writeToClipboard(text).then(
    () => toast.success(done, title),
    () => toast.error(failed),
  )
}

/** Browsers offer no clipboard to pages without TLS, such as those of a server in the same network. */
async function writeToClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  const focused = document.activeElement
  field.value = text
  document.body.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!copied) throw new Error('The browser refused to copy')
}
