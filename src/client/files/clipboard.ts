/** Browsers offer no clipboard to pages without TLS, such as those of a server in the same network. */
export async function writeToClipboard(text: string): Promise<void> {
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
