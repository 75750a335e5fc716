import { request } from '../api.ts'
import { writeToClipboard } from '../files/clipboard.ts'
import { toast } from '../ui/messages/toast.tsx'

export async function copyLink(link: string): Promise<void> {
  try {
    await writeToClipboard(link)
    toast.success('URL copied to clipboard!')
  } catch {
    toast.error('Failed to copy URL')
  }
}

/** Copies a picture, so that it can be pasted into a document or a chat. @param address of a PNG */
export async function copyPicture(address: string): Promise<void> {
  try {
    // The PNG is still on its way: some browsers allow a copy only while they handle the click.
    const picture = request('GET', address).then((response) => response.blob())
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })])
    toast.success('Image copied')
  } catch {
    toast.error('This browser can’t copy the image. Download the PNG instead.')
  }
}
