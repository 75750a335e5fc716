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
