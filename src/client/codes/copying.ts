import { request } from '../api.ts'
import { writePictureToClipboard, writeToClipboard } from '../files/clipboard.ts'
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
    await writePictureToClipboard(request('GET', address).then((response) => response.blob()))
    toast.success('Picture copied to clipboard!')
  } catch {
    toast.error('This browser did not copy the picture. Download the PNG instead.')
  }
}
