import AxeBuilder from '@axe-core/playwright'
import { expect, test } from './fixtures.ts'

test('the API’s reference loads nothing of other servers', async ({ page, server }) => {
  const elsewhere: string[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== server.origin) elsewhere.push(url.href)
  })
  await page.goto('/api/docs')
  await expect(page.getByRole('heading', { name: 'Get a key' })).toBeVisible()
  await page.getByRole('link', { name: 'Create a QR code' }).click()
  await expect(page.getByRole('heading', { name: 'Create a QR code' })).toBeInViewport()
  // Most of the page is Scalar's: axe takes as long as ten other tests.
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  expect(elsewhere).toEqual([])
  await page.getByRole('link', { name: 'Integrations', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Integrations' })).toBeVisible()
  // Both layouts of the site's pages: contents at the side, and above the text.
  const entry = page.getByRole('link', { name: 'AI agents: just ask' })
  await expect(entry).toBeInViewport()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByText('On this page').last().click()
  await entry.click()
  await expect(page.getByRole('heading', { name: 'AI agents: just ask' })).toBeInViewport()
  await page.getByRole('link', { name: 'Tessera' }).click()
  await expect(page).toHaveURL('/')
})
