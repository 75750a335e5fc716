import { refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { creating, editing, expectToast, fillIn, openCode, row, save } from './screens.ts'

const CODE = '/api/qr-codes/*'

test.describe('the server says no', () => {
  test.use({ expected: /status of (401|403|404|500)|^500:|ERR_FAILED/ })

  test('a failure can be tried again, a fourth code cannot', async ({ page, member }) => {
    const account = await member()
    await account.code({ name: 'Poster' })
    await page.goto('/dashboard')
    const dialog = editing(page)
    await refuse(page, CODE, 500, 'internal_error', 'Out of ink.')
    await page.getByRole('button', { name: 'Create New QR Code' }).click()
    await expectToast(page, 'Error', 'Out of ink.')
    const again = creating(page).getByRole('group', { name: 'can’t be saved yet' })
    await expect(again).not.toContainText('Out of ink.')
    await fillIn(creating(page), 'Flyer', 'https://example.com/')
    await creating(page).getByLabel('Destination URL').press('ControlOrMeta+s')
    await expectToast(page, 'Error', 'No QR code to save')
    await page.unrouteAll()
    await again.getByRole('button', { name: 'Try again' }).click()
    await expect(save(creating(page))).toBeEnabled()
    await expect(creating(page).getByLabel('QR Code Name')).toHaveValue('Flyer')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await refuse(page, CODE, 500, 'internal_error', 'Out of ink.')

    await openCode(page, 'Poster')
    await dialog.getByLabel('QR Code Name').fill('Flyer')
    await save(dialog).click()
    await expectToast(page, 'Error', 'Out of ink.')
    await expect(dialog.getByLabel('QR Code Name')).toHaveValue('Flyer')
    await page.unrouteAll({ behavior: 'wait' })
    await dialog.getByLabel('QR Code Name').fill('Poster')
    await save(dialog).click()
    await expectToast(page, 'Success', 'QR code saved successfully!')
    await expect(dialog).toBeHidden()

    await openCode(page, 'Poster')
    const saves: string[] = []
    await page.route(CODE, (route) => {
      saves.push(route.request().method())
      return route.abort()
    })
    await save(dialog).click()
    await expectToast(page, 'Error', 'Failed to save QR code')
    expect(saves).toEqual(['PATCH'])

    for (const name of ['Two', 'Three']) await account.code({ name })
    const message =
      'Your Free plan includes 3 QR codes and all of them are in use. ' +
      'Delete a QR code or upgrade your plan to create another.'
    await page.unrouteAll({ behavior: 'wait' })
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Create New QR Code' }).click()
    await expectToast(page, 'Error', message)
    const fourth = creating(page)
    await expect(
      fourth.getByRole('heading', { name: 'Choose a plan with more QR codes' }),
    ).toBeVisible()
    await expect(fourth).not.toContainText(message)
    await expect(fourth.getByRole('textbox')).toHaveCount(0)
    const choose = fourth.getByRole('link', { name: 'Choose Professional' })
    await expect(choose).toBeFocused()
    await choose.click()
    await expect(page).toHaveURL('/subscription?tier=professional&billing=annual')
    await page.goBack()
    await expect(row(page, 'Three')).toBeVisible()
    await expect(fourth).toBeHidden()
  })
})
