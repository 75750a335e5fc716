import { IPHONE, visit } from '../support/visitors.ts'
import { expect, test } from './fixtures.ts'
import { expectToast, moreOf, row } from './screens.ts'

test('a rule for iPhones takes four clicks, and the code follows it', async ({
  page,
  member,
  server,
}) => {
  const account = await member({ tier: 'professional' })
  const code = await account.code({ name: 'Poster', url: 'https://example.com/poster' })
  await page.goto('/dashboard')
  await moreOf(page, 'Poster').click()
  await page.getByRole('menuitem', { name: 'Rules and limits Poster' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rules and limits of Poster' })
  await dialog.getByRole('button', { name: 'iPhones', exact: true }).click()
  const rule = dialog.getByRole('listitem', { name: 'Rule 1' })
  await expect(rule.getByLabel('Destination of the rule')).toBeFocused()
  await page.keyboard.type('apps.apple.com/app/id1')
  await expect(rule).toContainText('A visitor who has a phone and uses iOS goes to apps.apple.com')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()

  await expect(row(page, 'Poster')).toContainText('1 rule')
  const leads = async (agent: string) => {
    const link = `${server.origin.replace('localhost', '127.0.0.1')}/qr/${code.shortCode}`
    return (await visit(link, { headers: { 'user-agent': agent } })).headers.location
  }
  expect(await leads(IPHONE)).toBe('https://apps.apple.com/app/id1')
  expect(await leads('Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile')).toBe(
    'https://example.com/poster',
  )

  // By the keyboard: a second rule moves up, and the focus with it.
  await moreOf(page, 'Poster').press('Enter')
  await page.getByRole('menuitem', { name: 'Rules and limits Poster' }).press('Enter')
  await dialog.getByRole('button', { name: 'Any visitor' }).press('Enter')
  const second = dialog.getByRole('listitem', { name: 'Rule 2' })
  await expect(second.getByLabel('Destination of the rule')).toBeFocused()
  await page.keyboard.type('example.com/all')
  await dialog.getByRole('button', { name: 'Move up rule 2' }).press('Enter')
  await expect(
    dialog.getByText('Rule 1 is for every visitor, so this one is never used.'),
  ).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Move down rule 1' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Try it' }).press('Enter')
  await dialog.getByLabel('System', { exact: true }).selectOption('iOS')
  await dialog.getByRole('button', { name: 'Where does it lead?' }).press('Enter')
  await expect(
    dialog.getByText(/^The visitor goes to https:\/\/example.com\/all, by rule 1/),
  ).toBeVisible()
  // Back asks before the rule is lost.
  await page.goBack()
  await page.getByRole('button', { name: 'Keep editing' }).press('Enter')
  await expect(page).toHaveURL(`/dashboard?rules=${code.id}`)
  await dialog.getByRole('button', { name: 'Delete rule 1' }).press('Enter')
  await expect(dialog.getByRole('region', { name: 'Rules' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(row(page, 'Poster')).toBeVisible()
})
