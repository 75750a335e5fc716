import { expect, test } from './fixtures.ts'
import { editing, expectToast, openCode, row } from './screens.ts'

test('somebody opens the link of a code in a new tab', async ({ page, member, destination }) => {
  const account = await member({ tier: 'professional' })
  const vanityUrl = 'open-poster'
  await account.code({ name: 'Poster', url: `${destination.origin}/poster`, vanityUrl })
  await page.goto('/dashboard')
  const link = row(page, 'Poster').getByRole('link', { name: 'Open link' })
  await expect(link).toHaveAttribute('href', new RegExp(`/qr/${vanityUrl}$`))
  await expect(link).toHaveAttribute('rel', 'noreferrer')
  const opened = page.waitForEvent('popup')
  await link.click()
  await expect((await opened).getByRole('heading', { name: '/poster' })).toBeVisible()
})

test('a duplicate is like its original, but for the name and the link', async ({
  page,
  member,
}) => {
  const account = await member({ tier: 'professional' })
  const vanityUrl = 'copy-poster'
  await account.code({
    ...{ name: 'Poster', url: 'https://example.com/poster', vanityUrl, style: 'rounded' },
    ...{ foregroundColor: '#166534', backgroundColor: '#f0fdf4', ecc: 'H', compact: true },
  })
  await page.goto('/dashboard')
  const patched = page.waitForRequest((request) => request.method() === 'PATCH')
  await row(page, 'Poster').getByRole('button', { name: 'Duplicate' }).click()
  await expectToast(page, 'Success', 'QR code duplicated')
  expect((await patched).postDataJSON()).toEqual({
    ...{ name: 'Poster (copy)', url: 'https://example.com/poster', style: 'rounded' },
    ...{ foregroundColor: '#166534', backgroundColor: '#f0fdf4', ecc: 'H', compact: true },
  })
  await openCode(page, 'Poster (copy)')
  await expect(editing(page).getByLabel('Custom URL (Optional)')).toHaveValue('')
})

test('a duplicate of a long name keeps within the bound', async ({ page, member }) => {
  await (await member()).code({ name: 'w'.repeat(200) })
  await page.goto('/dashboard')
  await row(page, 'w'.repeat(200)).getByRole('button', { name: 'Duplicate' }).click()
  await expect(row(page, `${'w'.repeat(193)} (copy)`)).toBeVisible()
})

test.describe('at the limit of the plan', () => {
  test.use({ expected: /status of 403/ })

  test('a duplicate is refused, in the server’s words', async ({ page, member }) => {
    const account = await member()
    for (const name of ['One', 'Two', 'Three']) await account.code({ name })
    await page.goto('/dashboard')
    await row(page, 'One').getByRole('button', { name: 'Duplicate' }).click()
    await expect(page.getByRole('alert')).toContainText('Your Free plan includes 3 QR codes')
    await expect(row(page, 'One (copy)')).toHaveCount(0)
  })
})
