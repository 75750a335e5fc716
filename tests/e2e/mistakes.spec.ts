import { expect, test } from './fixtures.ts'
import { openNewCode } from './screens.ts'

test('an example in a field with a mistake is as quiet as in any other', async ({
  page,
  member,
}) => {
  await member()
  await page.goto('/dashboard')
  const dialog = await openNewCode(page)
  const field = dialog.getByLabel('Destination URL')
  const colour = () => field.evaluate((input) => getComputedStyle(input, '::placeholder').color)
  const quiet = await colour()
  await dialog.getByRole('button', { name: 'Save QR Code' }).click()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  expect(await colour()).toBe(quiet)
})
