import type { Page } from '@playwright/test'
import { IPHONE } from '../support/visitors.ts'

/** Somebody with a phone follows a link; answers the status, and where it leads if anywhere. */
export async function arrival(page: Page, link: string): Promise<{ status: number; to?: string }> {
  const response = await page.request.get(link, {
    headers: { 'user-agent': IPHONE },
    maxRedirects: 0,
  })
  const to = response.headers().location
  return { status: response.status(), ...(to && { to }) }
}

/** The same with a code's path; answers the status. */
export async function scan(page: Page, path: string): Promise<number> {
  return (await arrival(page, `/qr/${path}`)).status
}
