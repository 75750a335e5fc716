import { PASSWORD } from '../../support/enrolment.ts'
import { expect, test } from '../fixtures.ts'
import { fillIn, preview, save, scanCheck } from '../screens.ts'

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
  await fillIn(dialog, 'Poster', 'example.com/poster')
  await dialog.getByRole('radio', { name: /^Rounded/ }).click()
  await expect(preview(dialog)).toHaveAttribute('src', /style=rounded/)
  await expect(scanCheck(dialog)).toContainText('Scans: excellent')
  await save(dialog).click()
  const offer = page.getByRole('dialog', { name: 'Save it to your own account' })
  await offer.getByRole('button', { name: 'Keep editing' }).click()
  await expect(dialog.getByLabel('Destination URL')).toHaveValue('https://example.com/poster')
  await save(dialog).click()
  await offer.getByRole('button', { name: 'Create your account' }).click()
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Lovelace')
  await page.getByRole('textbox', { name: /^E-?mail/ }).fill('looker@example.com')
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(dialog).toContainText('Here’s the code you started.')
  await expect(dialog.getByRole('radio', { name: /^Rounded/ })).toBeChecked()
  await expect(dialog.getByLabel('QR Code Name')).toHaveValue('Poster')
})
