import { expect, test } from './fixtures.ts'
import { IN_FRANCE, IN_GERMANY, scanFrom } from './scan.ts'
import { closeToasts, figure } from './screens.ts'

test('analytics are shared by a link', async ({ page, member, browser, server, context }) => {
  const owner = await member({ tier: 'starter' })
  const menu = await owner.code({ name: 'Menu' })
  await scanFrom(page, menu, [IN_GERMANY, IN_FRANCE, IN_FRANCE])
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`/dashboard?qr=${menu.id}`)
  await page.getByRole('button', { name: 'Export and share' }).click()
  await page.getByRole('menuitem', { name: 'Create a share link' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share the analytics of Menu' })

  const link = await test.step('the link is made with an end, and copied', async () => {
    await dialog.getByRole('radio', { name: '7 days' }).click()
    await dialog.getByRole('textbox', { name: 'Note' }).fill('For Anna')
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const copy = dialog.getByRole('button', { name: 'Copy link: For Anna' })
    await expect(copy).toBeFocused()
    await copy.press('Enter')
    await expect(page.getByText('can see these analytics.')).toBeVisible()
    await closeToasts(page)
    return page.evaluate(() => navigator.clipboard.readText())
  })

  const clean = await browser.newContext({ baseURL: server.origin })
  const faults: string[] = []
  clean.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  clean.on('weberror', (error) => faults.push(error.error().message))
  const guest = await clean.newPage()

  await test.step('a stranger sees its figures, filters them and keeps the view in the address', async () => {
    await guest.goto(link)
    await expect(guest.getByRole('heading', { name: 'Menu: analytics' })).toBeVisible()
    await expect(figure(guest, 'Scans')).toHaveText('3')
    await guest.getByRole('region', { name: 'Where' }).scrollIntoViewIfNeeded()
    await guest.getByRole('button', { name: /^France 2 scans/ }).click()
    await expect(figure(guest, 'Scans')).toHaveText('2')
    await guest.getByRole('radio', { name: '7 days' }).click()
    await expect(guest).toHaveURL(`${link}?range=7d&country=FR`)
    await guest.reload()
    await expect(figure(guest, 'Scans')).toHaveText('2')
    expect(await clean.cookies()).toEqual([])
    expect(faults).toEqual([])
  })

  await test.step('the owner stops it, and the page is gone', async () => {
    await dialog.getByRole('button', { name: 'Revoke: For Anna' }).click()
    await page.getByRole('button', { name: 'Revoke it' }).click()
    await expect(dialog.getByRole('listitem')).toHaveCount(0)
    await guest.reload()
    await expect(guest.getByRole('heading', { name: 'This page is not shared' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'Export and share' })).toBeFocused()
  })
  await clean.close()
})
