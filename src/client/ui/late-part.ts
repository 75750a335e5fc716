import { toast } from './toast.tsx'

/**
 * A part of the page's own program, fetched when somebody first needs it. Nothing, and a toast that
 * says what to do, where it does not come: to a tab older than a deploy, the server has it no more.
 */
export async function fetchPart<Part>(load: () => Promise<Part>): Promise<Part | undefined> {
  try {
    return await load()
  } catch {
    toast.error('This page is older than the server. Reload it and try again.')
    return undefined
  }
}
