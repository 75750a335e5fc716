import { request } from '../api.ts'
import { copyText } from '../files/clipboard.ts'
import { toast } from '../ui/messages/toast.tsx'

export const copyLink = (link: string) =>
  copyText(link, 'URL copied to clipboard!', 'Failed to copy URL')

/** Whether this is a phone or a tablet that can hand a link to its other apps */
export const canShare = () => 'share' in navigator && matchMedia('(pointer: coarse)').matches

/** Opens the device's own list of apps to send a link with. */
export async function shareLink(link: string, title: string): Promise<void> {
  // It fails if the person closes the list.
  await navigator.share({ title, url: link }).catch(() => {})
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
