import { expect, test } from './fixtures.ts'

test('figures by mail are chosen on a paid plan, and can be ended', async ({ page, member }) => {
  const owner = await member({ tier: 'starter' })
  await owner.tellZone('America/New_York')
  await owner.code()
  await page.goto('/dashboard?stats')
  const drawer = page.getByRole('dialog', { name: 'All QR codes: analytics' })
  await drawer.getByRole('button', { name: 'Export and share' }).click()
  await drawer.getByRole('menuitem', { name: 'Email me reports' }).click()
  await expect(page).toHaveURL('/profile?settings=notices')
  const section = page.getByRole('region', { name: 'Email reports' })
  const choice = section.getByRole('radiogroup', { name: 'How often' })
  await expect(choice.getByRole('radio', { name: 'Never' })).toBeChecked()
  await expect(section).toContainText('Your time zone is America/New York.')
  // By keyboard: the arrow keys go through the choices.
  await choice.getByRole('radio', { name: 'Never' }).focus()
  await page.keyboard.press('ArrowDown')
  await expect(choice.getByRole('radio', { name: 'Every week' })).toBeChecked()
  const next = /Your next report comes on Monday, \w+ \d+ at 7 AM \(America\/New York\)\./
  await expect(section).toContainText(next)
  await page.reload()
  await expect(choice.getByRole('radio', { name: 'Every week' })).toBeChecked()

  // The plan has lapsed: the choice is kept, and can only be taken back.
  await owner.subscribe('starter', 'canceled')
  await page.reload()
  await expect(section).toContainText('We’ve kept your choice for when you upgrade.')
  await expect(choice.getByRole('radio', { name: 'Every month' })).toBeDisabled()
  await choice.getByRole('radio', { name: 'Never' }).click()
  await expect(section).toContainText('Reports by email are part of every paid plan.')
  await expect(choice.getByRole('radio', { name: 'Every week' })).toBeDisabled()
  await section.getByRole('link', { name: 'See the plans' }).click()
  await expect(page).toHaveURL('/subscription')
})
