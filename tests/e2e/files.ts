import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'

/** Presses a button and waits for the download that it starts. */
export async function downloaded(page: Page, press: () => Promise<unknown>): Promise<Download> {
  const started = page.waitForEvent('download')
  await press()
  return started
}

/** Presses a button and returns the bytes of the file that it saves. */
export async function savedBy(page: Page, press: () => Promise<unknown>): Promise<Buffer> {
  return readFile(await (await downloaded(page, press)).path())
}

type File = { name: string; mimeType: string; buffer: Buffer }

/** Chooses a file by the button that asks for one. */
export async function giveFile(page: Page, button: Locator, file: File): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await button.click()
  await (await chooser).setFiles(file)
}
