import { sessionSecret } from '../../src/server/accounts/sessions/session-secret.ts'
import { enrol } from '../support/enrolment.ts'
import { expect, test } from './fixtures.ts'
import { choose, expectToast, fillIn, goToCode, goToNewCode, row, save } from './screens.ts'

test.use({ expected: /status of (404|409|412)/ })

test('a save asks before it undoes that of another tab', async ({ page, context, member }) => {
  const { id } = await (await member()).code({ name: 'Poster', url: 'https://example.com/old' })
  const elsewhere = (data: object) => context.request.patch(`/api/qr-codes/${id}`, { data })
  const now = async () => (await context.request.get(`/api/qr-codes/${id}`)).json()
  const dialog = await goToCode(page, 'Poster')

  await fillIn(dialog, 'Flyer', 'https://example.com/mine')
  await elsewhere({ url: 'https://example.com/theirs', foregroundColor: '#654321' })
  await save(dialog).click()
  const panel = dialog.getByRole('group', { name: 'changed somewhere else' })
  await expect(panel).toBeFocused()
  await expect(panel.getByRole('row')).toHaveText([
    'MineTheirs',
    'QR Code Name',
    'FlyerPoster',
    'Destination URL',
    'https://example.com/minehttps://example.com/theirs',
    'Foreground color',
    '#000000#654321',
  ])
  await dialog.getByLabel('QR Code Name').press('Enter')
  await expect(panel).toBeFocused()
  expect(await now()).toMatchObject({ name: 'Poster', url: 'https://example.com/theirs' })

  await panel.getByRole('button', { name: 'Take theirs' }).click()
  await expect(panel).toBeHidden()
  await expect(dialog.getByLabel('QR Code Name')).toHaveValue('Poster')
  await expect(dialog.getByRole('textbox', { name: 'Foreground color' })).toHaveValue('#654321')
  await dialog.getByLabel('QR Code Name').fill('Leaflet')
  await elsewhere({ url: 'https://example.com/again' })
  await save(dialog).click()
  await expect(panel.getByRole('cell', { name: 'https://example.com/again' })).toBeVisible()
  await panel.getByRole('button', { name: 'Keep mine' }).click()
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()
  expect(await now()).toMatchObject({
    name: 'Leaflet',
    url: 'https://example.com/theirs',
    foregroundColor: '#654321',
  })
})

test('a code deleted in another tab can be saved anew', async ({ page, context, member }) => {
  const account = await member()
  const codes = []
  for (const name of ['Poster', 'Menu', 'Card']) codes.push(await account.code({ name }))
  const dialog = await goToCode(page, 'Poster')
  await dialog.getByLabel('QR Code Name').fill('Flyer')
  for (const { id } of codes) await context.request.delete(`/api/qr-codes/${id}`)
  await save(dialog).click()
  await expectToast(page, 'Error', 'QR code not found')
  const panel = dialog.getByRole('group', { name: 'was deleted somewhere else' })
  await expect(panel).toBeFocused()
  await expect(save(dialog)).toBeDisabled()
  await panel.getByRole('button', { name: 'Save as a new QR code' }).click()
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()
  await expect(row(page, 'Flyer')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)

  const { id } = await account.code({ name: 'Sticker' })
  await page.goto('/dashboard')
  await expect(row(page, 'Sticker')).toBeVisible()
  await context.request.delete(`/api/qr-codes/${id}`)
  await choose(page, 'Sticker', 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'This QR code was already deleted somewhere else')
  await expect(row(page, 'Sticker')).toBeHidden()
})

test('a page whose account changed elsewhere saves nothing', async ({
  page,
  context,
  member,
  database,
  server,
}) => {
  const ada = await member()
  const registry = { database, publicUrl: server.origin, secret: sessionSecret(server) }
  const email = ada.email.replace('person', 'grace')
  const grace = await enrol(registry, { email, name: 'Grace Hopper', emailVerified: true })
  const asAda = await context.cookies()
  const asGrace = { ...grace.cookie, url: server.origin, httpOnly: true, sameSite: 'Lax' as const }
  const dialog = await goToNewCode(page)
  await fillIn(dialog, 'Poster', 'example.com/poster')
  await context.addCookies([asGrace])
  const other = page.getByRole('dialog', { name: 'You’re logged in to another account' })
  await save(dialog).click()
  await expect(other.getByRole('button', { name: 'Reload the page' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(other).toBeVisible()
  await expect(dialog.getByLabel('QR Code Name')).toHaveValue('Poster')

  // Their own account is back in another tab: this one goes on, until it hears of another.
  await context.addCookies(asAda)
  const tab = await context.newPage()
  await tab.goto('/dashboard')
  await expect(other).toBeHidden()
  await save(dialog).click()
  await expect(row(page, 'Poster')).toBeVisible()
  await context.addCookies([asGrace])
  await tab.goto('/dashboard')
  await expect(tab.getByText('No QR codes yet')).toBeVisible()
  await expect(other).toBeVisible()
  await other.getByRole('button', { name: 'Reload the page' }).click()
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  await tab.goto('/api/logout')
  await expect(page.getByRole('dialog', { name: 'You’re logged out' })).toBeVisible()
})
