import { expect, test } from '../fixtures.ts'

test.use({ environment: { DEMO: 'on' }, expected: /40[13]|503/ })

test('a visitor looks at the live demo and goes on to sign up', async ({ page, request }) => {
  // The server makes the demo after its start.
  const opened = async () => (await request.post('/api/demo', { maxRedirects: 0 })).status()
  await expect.poll(opened).toBe(303)
  await page.goto('/')
  await page.getByRole('link', { name: 'View Demo' }).click()
  await page.getByRole('button', { name: 'Open the live demo' }).click()
  await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
  const note = page.getByRole('region', { name: 'This is a live demo' })
  await expect(note).toBeVisible()
  await expect(page.getByRole('button', { name: 'Table menu' }).first()).toBeVisible()

  await page.getByRole('button', { name: 'Create New QR Code' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New QR Code' })
  await expect(dialog.getByRole('alert')).toContainText('you can’t change anything')
  await page.keyboard.press('Escape')

  await note.getByRole('link', { name: 'Create your account' }).click()
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
})
