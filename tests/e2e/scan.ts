import { expect, type Page } from '@playwright/test'
import { IPHONE } from '../support/visitors.ts'

/** Addresses that the packaged database places in these countries. */
export const IN_GERMANY = '85.214.132.117'
export const IN_FRANCE = '80.10.246.2'

type Arrival = { status: number; to?: string }

/** Follows a link as a phone at an address does. Returns the status, and the destination if there is one. */
export async function arrival(page: Page, link: string, address = ''): Promise<Arrival> {
  const headers = { 'user-agent': IPHONE, ...(address && { 'x-forwarded-for': address }) }
  const response = await page.request.get(link, { headers, maxRedirects: 0 })
  const to = response.headers().location
  return { status: response.status(), ...(to && { to }) }
}

/** Follows a code's path as a phone does. Returns the status. */
export async function scan(page: Page, path: string): Promise<number> {
  return (await arrival(page, `/qr/${path}`)).status
}

type Code = { id: string; shortCode: string }

/** Scans a code from these addresses, each with another phone, and waits until all its scans are counted. */
export async function scanFrom(page: Page, code: Code, places: string[], inAll = places.length) {
  for (const [index, address] of places.entries()) {
    const headers = { 'x-forwarded-for': address, 'user-agent': `${IPHONE} (${index})` }
    await page.request.get(`/qr/${code.shortCode}`, { headers, maxRedirects: 0 })
  }
  const counted = async () => {
    const response = await page.request.get(`/api/analytics/figures?qr=${code.id}`)
    return (await response.json()).scans
  }
  await expect.poll(counted).toBe(inAll)
}
