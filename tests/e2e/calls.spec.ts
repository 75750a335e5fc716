import type { Page, Request } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { choose, editing, expectToast, openCode, openNewCode, row } from './screens.ts'

/** Calls of the script, and those that the browser makes ahead because the page's headers say so. */
const CALL_TYPES = ['fetch', 'other']

/** What a page asks the API for from now on, as method and path, without pictures. */
function callsOf(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (!CALL_TYPES.includes(request.resourceType()) || !pathname.startsWith('/api/')) return
    calls.push(`${request.method()} ${pathname}`)
  })
  return calls
}

const save = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Save QR Code' })

async function deleteCode(page: Page, name: string) {
  await choose(page, name, 'Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'Success', 'QR code deleted successfully')
}

test('the dashboard makes each of its calls once, and one for each code', async ({
  page,
  member,
}) => {
  const account = await member()
  const codes = [await account.code({ name: 'Poster' }), await account.code({ name: 'Flyer' })]
  const calls = callsOf(page)
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toContainText('0 scans')
  await expect(row(page, 'Flyer')).toContainText('0 scans')
  await expect(page.getByText('No scan data available yet')).toBeVisible()
  expect(calls.sort()).toEqual(
    [
      ...['GET /api/auth/user', 'GET /api/config', 'GET /api/user/subscription'],
      ...['GET /api/qr-codes', 'GET /api/analytics/user', 'GET /api/analytics/daily-breakdown'],
      ...codes.map(({ id }) => `GET /api/analytics/qr-code/${id}`),
    ].sort(),
  )
})

test('what was read is kept: no time, focus or way back reads it again', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.clock.install()
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toContainText('0 scans')
  await expect(page.getByText('No scan data available yet')).toBeVisible()
  // From then on only a scan changes what was read.
  const stream = page.waitForRequest(/\/api\/analytics\/stream/)
  await page.keyboard.press('Shift')
  await stream
  const calls = callsOf(page)
  await page.clock.fastForward('24:00:00')
  await page.evaluate(() => {
    for (const event of ['visibilitychange', 'focus', 'online']) {
      window.dispatchEvent(new Event(event))
    }
  })
  await page.getByRole('link', { name: 'Profile' }).click()
  await expect(page.getByRole('heading', { name: 'Subscription Status' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to Dashboard' }).click()
  await expect(row(page, 'Poster')).toContainText('0 scans')
  expect(calls).toEqual([])
})

test.describe('that fail', () => {
  test.use({ expected: /status of 500|^500:/ })

  test('no read and no save is made a second time', async ({ page, member }) => {
    const { id } = await (await member()).code({ name: 'Poster' })
    const calls = callsOf(page)
    for (const call of ['qr-codes', 'auth/user', 'user/subscription'] as const) {
      calls.length = 0
      await page.route(`/api/${call}`, (route) => route.fulfill({ status: 500, body: 'no' }))
      await page.goto('/dashboard')
      // What stands in for the answer stands there only when no other try is to come.
      const instead = call === 'user/subscription' ? '1/3 QR codes' : /could not be loaded/
      await expect(page.getByText(instead)).toBeVisible()
      expect(calls.filter((one) => one === `GET /api/${call}`)).toHaveLength(1)
      await page.unrouteAll()
    }

    await openCode(page, 'Poster')
    await page.route(`/api/qr-codes/${id}`, (route) => route.fulfill({ status: 500, body: 'no' }))
    calls.length = 0
    await save(page).click()
    await expectToast(page, 'Error', 'Failed to save QR code')
    expect(calls).toEqual([`PATCH /api/qr-codes/${id}`])
  })
})

test('a draft is asked for without a word, and saved with the fields of the form', async ({
  page,
  member,
}) => {
  await member({ tier: 'professional' })
  await page.goto('/dashboard')
  const made = page.waitForResponse((response) => response.url().endsWith('/api/qr-codes/draft'))
  const dialog = await openNewCode(page)
  const draft = await made
  expect(draft.request().method()).toBe('POST')
  expect(draft.request().postData()).toBeNull()
  const { id } = await draft.json()

  const vanityUrl = `fields-${process.pid}-${Date.now()}`
  await dialog.getByLabel('QR Code Name').fill('Poster')
  await dialog.getByLabel('Destination URL').fill('https://example.com/poster')
  await dialog.getByLabel('Custom URL (Optional)').fill(vanityUrl)
  await dialog.getByRole('radio', { name: 'Rounded' }).click()
  await dialog.getByRole('radio', { name: 'Ocean' }).click()
  const sent = page.waitForRequest((request: Request) => request.method() === 'PATCH')
  await save(page).click()
  const saving = await sent
  expect(new URL(saving.url()).pathname).toBe(`/api/qr-codes/${id}`)
  expect(saving.postDataJSON()).toMatchObject({
    ...{ name: 'Poster', url: 'https://example.com/poster', vanityUrl },
    ...{ style: 'rounded', foregroundColor: '#1e40af', backgroundColor: '#f0f9ff' },
  })
})

test('the zip is asked for as it is saved or looks; a save and a delete read the list and the figures again', async ({
  page,
  member,
}) => {
  const { id } = await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const address = `/api/qr-codes/${id}/download-zip`
  await test.step('the zip, as saved in the table, and as it looks in the form', async () => {
    const asked = page.waitForRequest((request) => request.url().includes(address))
    await choose(page, 'Poster', 'Download all as zip')
    expect(new URL((await asked).url()).search).toBe('')

    const dialog = await openCode(page, 'Poster')
    await dialog.getByRole('radio', { name: 'Rounded' }).click()
    await dialog.getByRole('radio', { name: 'Ocean' }).click()
    const askedInForm = page.waitForRequest((request) => request.url().includes(address))
    await dialog.getByRole('button', { name: 'ZIP All' }).click()
    const { searchParams } = new URL((await askedInForm).url())
    expect(Object.fromEntries(searchParams)).toMatchObject({
      ...{ style: 'rounded', fg: '#1e40af', bg: '#f0f9ff' },
    })
  })

  const calls = callsOf(page)
  const again = ['GET /api/qr-codes', 'GET /api/analytics/user']
  const first = () => calls.find((call) => !call.startsWith('GET'))
  await save(page).click()
  await expect(editing(page)).toBeHidden()
  await expect.poll(() => calls).toEqual(expect.arrayContaining(again))
  expect(first()).toBe(`PATCH /api/qr-codes/${id}`)

  calls.length = 0
  const sent = page.waitForRequest((request) => request.method() === 'DELETE')
  await deleteCode(page, 'Poster')
  expect((await sent).postData()).toBeNull()
  await expect.poll(() => calls).toEqual(expect.arrayContaining(again))
  expect(calls[0]).toBe(`DELETE /api/qr-codes/${id}`)
})
