import { refuse } from './changed-answers.ts'
import { expect, test } from './fixtures.ts'
import { creating, editing, expectToast, openCode, row, save } from './screens.ts'

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
    await expect(creating(page)).toContainText('Out of ink.')
    await page.keyboard.press('Escape')

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
    await expect(fourth.getByRole('alert', { name: 'No room for another QR code' })).toContainText(
      message,
    )
    const plans = fourth.getByRole('link', { name: 'See the plans' })
    await expect(plans).toBeFocused()
    await expect(save(fourth)).toBeDisabled()
    await expect(fourth.getByText('Generating QR code...')).toBeHidden()
    await expect(fourth.getByText('Stops working on')).toHaveCount(0)

    await fourth.getByLabel('QR Code Name').fill('Four')
    await fourth.getByLabel('QR Code Name').press('Enter')
    await fourth.getByLabel('Destination URL').fill('https://example.com/')
    await fourth.getByLabel('Destination URL').press('ControlOrMeta+s')
    await expectToast(page, 'Error', 'No QR code to save')
    await plans.click()
    const question = page.getByRole('dialog', { name: 'Discard your changes?' })
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(fourth.getByLabel('QR Code Name')).toHaveValue('Four')
    await plans.click()
    await question.getByRole('button', { name: 'Discard' }).click()
    await expect(page).toHaveURL('/subscription')
    await page.goBack()
    await expect(row(page, 'Three')).toBeVisible()
    await expect(fourth).toBeHidden()
  })
})
