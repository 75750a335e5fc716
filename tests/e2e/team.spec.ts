import { expect, test } from './fixtures.ts'
import { creating, editing, leaveReady, row, save } from './screens.ts'

// The removed member's open page asks for what it no longer gets.
test.use({ expected: /404 \(Not Found\).*workspace=/ })

for (const width of [390, 1440]) {
  const tag = width === 390 ? [] : ['@soak']
  test(`at ${width} px a new person joins a workspace, makes a code and is removed`, {
    tag,
  }, async ({ page, context, member }) => {
    await page.setViewportSize({ width, height: 900 })
    const owner = await member({ tier: 'professional', name: 'Ada Lovelace' })
    const email = `grace-${width}-${owner.email}`
    await page.goto('/profile?settings=members')
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const shown = page.getByRole('dialog', { name: 'Your invitation link' })
    const link = (await shown.getByText('#').textContent()) ?? ''
    const ownersCookies = await context.cookies()

    await context.clearCookies()
    await page.goto(link)
    await expect(
      page.getByRole('heading', { name: 'Join Ada Lovelace’s workspace?' }),
    ).toBeVisible()
    await page.getByRole('textbox', { name: 'Name' }).fill('Grace Hopper')
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Create account and join' }).click()
    await page.getByRole('button', { name: 'Create New QR Code', exact: true }).click()
    await creating(page).getByLabel('QR Code Name').fill('Spring menu')
    await creating(page).getByLabel('Destination').fill('https://example.com/spring')
    await save(creating(page)).click()
    await leaveReady(page)
    await expect(row(page, 'Spring menu')).toBeVisible()
    await expect(editing(page)).toBeHidden()
    const guestsCookies = await context.cookies()

    await context.clearCookies()
    await context.addCookies(ownersCookies)
    await page.goto('/dashboard')
    await expect(row(page, 'Spring menu')).toBeVisible()
    await page.goto('/profile?settings=members')
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await page.getByRole('button', { name: 'Remove member' }).click()
    await expect(page.getByText('Member removed', { exact: true })).toBeVisible()

    await context.clearCookies()
    await context.addCookies(guestsCookies)
    await page.goto(`/dashboard?workspace=${owner.workspaceId}`)
    const gone = page.getByRole('dialog', { name: 'You’re not in this workspace' })
    await gone.getByRole('button', { name: 'Go to your own workspace' }).click()
    await expect(page.getByRole('heading', { name: 'No QR codes yet' })).toBeVisible()
    await expect(row(page, 'Spring menu')).toBeHidden()
  })
}
