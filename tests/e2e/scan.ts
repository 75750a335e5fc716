import type { Page } from '@playwright/test'
import { IPHONE } from '../support/visitors.ts'

/** Somebody with a phone follows a code's link; answers the status. */
export async function scan(page: Page, path: string): Promise<number> {
  const response = await page.request.get(`/qr/${path}`, {
    headers: { 'user-agent': IPHONE },
    maxRedirects: 0,
  })
  return response.status()
}
