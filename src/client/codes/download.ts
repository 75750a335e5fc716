import { request } from '../api.ts'
import { saveFile } from '../files/save-file.ts'
import { reportFailure } from '../ui/messages/failure.ts'

/** Fetches a file and saves it under the given name. A toast reports a failure. */
export async function download(address: string, fileName: string): Promise<void> {
  try {
    const response = await request('GET', address)
    saveFile(await response.blob(), fileName)
  } catch (error) {
    reportFailure(error, 'Failed to download QR code')
  }
}
