import { expect, test } from './fixtures.ts'
import { arrival } from './scan.ts'
import { editing, expectToast, goToCode, row } from './screens.ts'
import { fillCard, PAYS } from './test-card.ts'

test('printed codes work through a subscription and after', async ({
  page,
  member,
  destination,
}) => {
  const account = await member()
  const at = (path: string) => `${destination.origin}/${path}`
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const menu = await account.code({ name: 'Menu', url: at('menu') })
  await page.goto('/dashboard')
  await expect(row(page, 'Menu')).toContainText('Stops working on')

  // Professional, by the year.
  await page.getByRole('link', { name: 'Profile' }).click()
  await button('View Plans').click()
  await button('Choose Professional').click()
  await fillCard(page, PAYS)
  await button('Pay $83.88').click()
  await expectToast(page, 'Payment Successful', 'You are now subscribed!')
  await expect(page.getByRole('banner')).toContainText('PROFESSIONAL')
  await expect(row(page, 'Menu')).not.toContainText('Stops working on')
  const path = `summer-${process.pid}`
  const poster = await account.code({ name: 'Poster', url: at('poster'), vanityUrl: path })
  await page.request.patch(`/api/qr-codes/${poster.id}`, { data: { vanityUrl: `${path}-2` } })

  // Unlimited, and more codes than the Free plan has.
  await page.getByRole('link', { name: 'Profile' }).click()
  await button('View Plans').click()
  await button('Choose Unlimited').click()
  await button(/^Confirm and pay/).click()
  await expect(page.getByRole('main')).toContainText('UNLIMITED')
  const flyer = await account.code({ name: 'Flyer', url: at('flyer') })
  const card = await account.code({ name: 'Card', url: at('card') })
  const codes = [menu, poster, flyer, card].map(({ shortCode }) => shortCode)
  const printed = [...codes, path, `${path}-2`]
  const targets = async () => {
    const arrivals = await Promise.all(printed.map((name) => arrival(page, `/qr/${name}`)))
    return arrivals.map(({ to }) => to)
  }
  const wanted = ['menu', 'poster', 'flyer', 'card', 'poster', 'poster'].map(at)
  expect(await targets()).toEqual(wanted)

  // The end of the plan, by the test clock.
  await page.goto('/profile')
  await button('Cancel plan').click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText(
    'All 4 of your QR codes keep working, and so does your custom URL.',
  )
  await question.getByRole('button', { name: 'Cancel plan' }).click()
  await expect(page.getByText(/^Expires on/)).toBeVisible()
  await button('Manage billing').click()
  await button('To the end of the period').click()
  await expect(page.getByText('This plan has ended.')).toBeVisible()
  await page.goto('/profile')
  await expect(page.getByText('canceled', { exact: true })).toBeVisible()
  await expect(page.getByRole('banner')).toContainText('FREE')
  expect(await targets()).toEqual(wanted)

  // A printed code can still be corrected; only new codes need a plan.
  await goToCode(page, 'Poster')
  await editing(page).getByLabel('Destination URL').fill(at('autumn'))
  await button('Save QR Code').click()
  await expect(editing(page)).toBeHidden()
  const corrected = wanted.map((to) => (to === at('poster') ? at('autumn') : to))
  expect(await targets()).toEqual(corrected)
  for (const name of ['Menu', 'Poster', 'Flyer', 'Card']) {
    await expect(row(page, name)).not.toContainText('Stops working on')
  }
})
