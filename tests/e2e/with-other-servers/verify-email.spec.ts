import { PASSWORD } from '../../support/enrolment.ts'
import { expect } from '../fixtures.ts'
import { mailedLink, withMail } from '../smtp.ts'

const test = withMail({ VERIFY_EMAIL: 'required' })

// The server asks for the password, and refuses a wrong one.
test.use({ expected: /status of (401|403)/ })

test('a newcomer proves the address before the sign-in', async ({ page, mailServer }) => {
  const address = `proving-${process.pid}-${Date.now()}@example.com`
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await page.goto('/api/login?new')
  await field('Name').fill('Ada Lovelace')
  await field('E-mail').fill(address)
  await field('Password').fill(PASSWORD)
  await press('Create account')
  const look = page.getByRole('heading', { name: 'Check your mail' })
  await expect(look).toBeFocused()
  await expect(page.getByText(address)).toBeVisible()
  await mailedLink(() => mailServer.mails, address)
  await page.reload()
  await press('Send it again')
  await expect(page.getByRole('status')).toHaveText('It is on its way again.')
  const link = await mailedLink(() => mailServer.mails, address, 2)

  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  await page.goto(link)
  await press('Confirm my address')
  await expect(field('Password')).toBeFocused()
  await field('Password').fill('a wrong guess')
  await press('Confirm address')
  await expect(field('Password')).toHaveAccessibleDescription('That password is wrong.')
  await field('Password').fill(PASSWORD)
  await press('Confirm address')
  await expect(page.getByRole('heading', { name: 'Your address is confirmed' })).toBeFocused()
  await page.getByRole('link', { name: 'Continue' }).click()
  await expect(page.getByRole('heading', { name: 'QR Code Dashboard' })).toBeVisible()
})
