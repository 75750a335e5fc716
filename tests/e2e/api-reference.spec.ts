import AxeBuilder from '@axe-core/playwright'
import { isSoak } from '../support/soak.ts'
import { expect, test } from './fixtures.ts'

test('the reference of the API loads nothing from other servers', async ({ page, server }) => {
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
  if (isSoak) expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  expect(elsewhere).toEqual([])
  await page.getByRole('link', { name: 'Integrations', exact: true }).first().click()
  await expect(page.getByRole('heading', { name: 'Integrations' })).toBeVisible()
})
