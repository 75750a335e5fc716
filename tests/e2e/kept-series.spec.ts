import { expect, test } from './fixtures.ts'
import { expectSentToSignIn } from './screens.ts'

test.use({ expected: /status of 401/ })

test('a series is there with all that was typed after signing in again, and can be made', async ({
  page,
  context,
  member,
}) => {
  await member({ tier: 'unlimited' })
  await page.goto('/dashboard?series')
  const dialog = page.getByRole('dialog', { name: 'Create a series' })
  await dialog.getByLabel('Name').fill('Room {n}')
  await dialog.getByLabel('Destination').fill('https://example.com/{n}')
  await dialog.getByLabel('To', { exact: true }).fill('4')
  await dialog.getByText('A list', { exact: true }).click()
  await dialog.getByLabel('One line for each QR code').fill('Bar\nHall')
  const cookies = await context.cookies()
  await context.clearCookies()
  const saying = 'You are logged out. Logging in again...'
  const make = dialog.getByRole('button', { name: 'Create 2 QR codes' })
  await expectSentToSignIn(page, { saying, from: '/dashboard?series' }, () => make.click())
  await context.addCookies(cookies)
  await page.goto('/dashboard?series')

  await expect(dialog).toContainText('We kept what you typed. It has not been saved yet.')
  await expect(dialog.getByLabel('Name')).toHaveValue('Room {n}')
  await dialog.getByText('Numbers', { exact: true }).click()
  await expect(dialog.getByLabel('To', { exact: true })).toHaveValue('4')
  await dialog.getByText('A list', { exact: true }).click()
  await expect(dialog.getByLabel('One line for each QR code')).toHaveValue('Bar\nHall')
  await make.click()
  await expect(page.getByRole('dialog', { name: 'Your 2 codes are ready' })).toBeVisible()
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Room')
})
