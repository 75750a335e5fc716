import type { Locator, Page } from '@playwright/test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/contract/time.ts'
import { FIRST_COMPLETE_DAY, setMark } from '../../src/server/analytics/store/ledger/marks.ts'
import type { Database } from '../../src/server/database/connect.ts'
import { recordPast } from '../support/past-scans.ts'
import { expect, test } from './fixtures.ts'
import { IN_FRANCE, IN_GERMANY, scanFrom } from './scan.ts'
import { choose, drawer, editing, figure as figureIn, goToCode } from './screens.ts'

test.use({ timezoneId: 'UTC' })

const part = (page: Page, name: string) => drawer(page).getByRole('region', { name })
/** A country's row in its list, which is read when it comes in sight. Its figures follow its name. */
async function country(page: Page, name: string): Promise<Locator> {
  await part(page, 'Where').scrollIntoViewIfNeeded()
  return part(page, 'Where').getByRole('button', { name: new RegExp(`^${name} \\d`) })
}
const figure = (page: Page, term: string) => figureIn(drawer(page), term)

type Counting = typeof globalThis & { clicks: number }

/** Counts clicks and taps from now on, in each page that is loaded: a page begins with none. */
const countClicks = (page: Page) =>
  page.addInitScript(() => {
    ;(globalThis as Counting).clicks = 0
    addEventListener('pointerdown', () => (globalThis as Counting).clicks++, true)
  })
const clicks = (page: Page) => page.evaluate(() => (globalThis as Counting).clicks)

/** Moves the making of a code to this many days ago. */
async function letAge({ db }: Database, id: string, days: number): Promise<void> {
  const made = { created_at: Date.now() - days * DAY_MS }
  await db.updateTable('codes').set(made).where('id', '=', id).execute()
}

/** Wednesday of the last week, which begins on a Monday, at 18:20. */
const lastWednesday = () => {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const daysSinceMonday = (new Date().getUTCDay() + 6) % 7
  return today - (daysSinceMonday + 5) * DAY_MS + 18 * HOUR_MS + 20 * MINUTE_MS
}

test('a question about scans takes at most two clicks', async ({ page, member, database }) => {
  const owner = await member({ tier: 'professional' })
  const menu = await owner.code({ name: 'Menu' })
  const poster = await owner.code({ name: 'Poster' })
  const flyer = await owner.code({ name: 'Flyer' })
  await letAge(database, flyer.id, 40)
  const at = lastWednesday()
  await recordPast(database.location, [
    { code_id: menu.id, at, visitor: 'one' },
    { code_id: menu.id, at, visitor: 'two' },
    { code_id: poster.id, at: at + HOUR_MS, country: 'FR' },
  ])
  await scanFrom(page, poster, [IN_FRANCE, IN_FRANCE], 3)
  await countClicks(page)
  const overview = page.getByRole('region', { name: 'Scans Overview' })
  const open = async () => {
    await page.goto('/dashboard')
    await overview.getByRole('button', { name: 'Analytics' }).click()
  }
  const chooseLastWeek = () => drawer(page).getByRole('radio', { name: 'Last week' }).click()
  const first = (card: string) => part(page, card).getByRole('listitem').first()

  for (const [width, height] of [
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height })
    await test.step(`which code won last week, at ${width} px`, async () => {
      await open()
      await chooseLastWeek()
      await part(page, 'Top codes').scrollIntoViewIfNeeded()
      await expect(first('Top codes')).toHaveText('Menu 2 scans 67%')
      expect(await clicks(page)).toBe(2)
    })

    await test.step(`how many came from Germany last week, and when, at ${width} px`, async () => {
      await open()
      await expect(figure(page, 'Scans')).toHaveText('5')
      const before = await clicks(page)
      await chooseLastWeek()
      await (await country(page, 'Germany')).click()
      expect((await clicks(page)) - before).toBe(2)
      const week = part(page, 'Weekdays and hours')
      await week.scrollIntoViewIfNeeded()
      await expect(week).toContainText('Busiest day: Wednesday. Busiest hour: 6 – 7 PM.')
      await expect(figure(page, 'Visitors')).toHaveText('2')
      const chip = drawer(page).getByRole('button', { name: 'Remove the filter Country: Germany' })
      await expect(chip).toBeVisible()
      // Where there is room, the filter stays in view, and so do the totals.
      if (width > 768) {
        await expect(chip).toBeInViewport()
        await expect(drawer(page).getByText('2 scans', { exact: true }).first()).toBeInViewport()
      }
      await part(page, 'Top codes').scrollIntoViewIfNeeded()
      await expect(first('Top codes')).toHaveText('Menu 2 scans 100%')
    })
  }

  await test.step('which codes are not scanned any more', async () => {
    await open()
    await part(page, 'Gone quiet').scrollIntoViewIfNeeded()
    await expect(part(page, 'Gone quiet').getByRole('listitem')).toHaveText(['Flyer Never scanned'])
    expect(await clicks(page)).toBe(1)
  })

  await test.step('and a scan moves the open numbers and stands among the last scans', async () => {
    await part(page, 'Right now').scrollIntoViewIfNeeded()
    await scanFrom(page, flyer, [IN_FRANCE])
    await expect(figure(page, 'Scans')).toHaveText('6')
    const last = part(page, 'Right now').getByRole('list', { name: 'Last scans' })
    await expect(last.getByRole('listitem').first()).toContainText(/Flyer in France, on an iPhone$/)
  })
})

test('filters and days are in the address bar', { tag: '@soak' }, async ({ page, member }) => {
  const menu = await (await member()).code({ name: 'Menu' })
  await scanFrom(page, menu, [IN_GERMANY, IN_FRANCE, IN_FRANCE])
  await page.goto('/dashboard?q=menu')
  await choose(page, 'Menu', 'Analytics')
  const france = await country(page, 'France')
  await france.click()
  await expect(france).toHaveAttribute('aria-pressed', 'true')
  await expect(figure(page, 'Scans')).toHaveText('2')
  await expect(page).toHaveURL(`/dashboard?q=menu&qr=${menu.id}&country=FR`)

  await page.reload()
  await expect(figure(page, 'Scans')).toHaveText('2')
  await drawer(page).getByRole('button', { name: 'Remove the filter Country: France' }).click()
  await expect(figure(page, 'Scans')).toHaveText('3')
  await expect(page).toHaveURL(`/dashboard?q=menu&qr=${menu.id}`)

  await page.goBack()
  await expect(drawer(page)).toBeHidden()
  await expect(page).toHaveURL('/dashboard?q=menu')

  // The analytics of a code that is gone close themselves.
  await page.goto('/dashboard?qr=c0ffee00-0000-4000-8000-000000000000&range=7d&page=1')
  await expect(page).toHaveURL('/dashboard?page=1')
  await expect(drawer(page)).toBeHidden()

  await page.goto(`/dashboard?qr=${menu.id}&country=FR&device=Mobile`)
  for (const left of ['&device=Mobile', '']) {
    await drawer(page).getByRole('button', { name: 'Remove the filter' }).first().click()
    await expect(page).toHaveURL(`/dashboard?qr=${menu.id}${left}`)
  }
  await drawer(page).getByRole('radio', { name: 'Week', exact: true }).click()
  const line = part(page, 'Scans over time')
  await line.getByText('Show as a table').click()
  const table = line.getByRole('table', { name: 'Scans by week in the last 30 days' })
  await expect(table.getByRole('row').nth(1)).toContainText(/^Week of .*33/)

  await drawer(page).getByRole('radio', { name: 'Custom' }).click()
  await drawer(page).getByLabel('First day').fill('2026-01-05')
  await drawer(page).getByLabel('Last day').fill('2026-01-04')
  await expect(drawer(page)).toContainText('The last day is before the first.')
  await drawer(page).getByLabel('Last day').fill('2026-01-07')
  await expect(page).toHaveURL(/range=free&from=2026-01-05&to=2026-01-07/)
  await expect(drawer(page)).toContainText('No scans from Jan 5, 2026 to Jan 7, 2026')
  await drawer(page).getByRole('button', { name: 'Show all time' }).click()
  await expect(figure(page, 'Scans')).toHaveText('3')
})

test('by keyboard it opens, filters and closes', { tag: '@soak' }, async ({ page, member }) => {
  const menu = await (await member()).code({ name: 'Menu' })
  await scanFrom(page, menu, [IN_GERMANY, IN_FRANCE])
  const form = await goToCode(page, 'Menu')
  await form.getByLabel('QR Code Name').fill('Menu of today')
  const opener = form.getByRole('button', { name: 'Analytics' })
  await opener.press('Enter')
  await expect(drawer(page).getByRole('button', { name: 'Close' })).toBeFocused()

  await drawer(page).getByRole('radio', { name: '30 days' }).press('ArrowRight')
  await expect(drawer(page).getByRole('radio', { name: 'This month' })).toBeFocused()
  await expect(page).toHaveURL(/range=this-month/)
  const germany = await country(page, 'Germany')
  await germany.press('Enter')
  await expect(drawer(page).getByRole('status')).toHaveText('1 scan this month')
  await expect(germany).toBeFocused()
  await drawer(page).getByRole('button', { name: 'Remove the filter' }).press('Enter')
  await expect(drawer(page).getByRole('status')).toHaveText('2 scans this month')

  // A filter from the menu: what to filter by, then a value, both by search.
  await drawer(page).getByRole('button', { name: 'Filter', exact: true }).press('Enter')
  await expect(drawer(page).getByRole('combobox', { name: 'Filter by' })).toBeFocused()
  await page.keyboard.type('coun')
  await page.keyboard.press('Enter')
  await expect(drawer(page).getByRole('option')).toHaveText(['Germany 1 scan', 'France 1 scan'])
  await page.keyboard.type('ger')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/country=DE/)
  await expect(drawer(page).getByRole('button', { name: 'Filter', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(drawer(page).getByRole('combobox')).toBeHidden()
  await expect(drawer(page)).toBeVisible()
  await drawer(page).getByRole('button', { name: 'Remove the filter' }).press('Enter')
  await page.keyboard.press('Tab')
  await expect(drawer(page).locator(':focus')).toHaveCount(1)

  await page.keyboard.press('Escape')
  await expect(drawer(page)).toBeHidden()
  await expect(opener).toBeFocused()
  await expect(editing(page).getByLabel('QR Code Name')).toHaveValue('Menu of today')
})

test.describe('where single scans are kept no longer', () => {
  test.use({ expected: /status of 400/, timezoneId: 'Asia/Kolkata' })

  test('analytics go by days in UTC and a filter is refused', { tag: '@soak' }, async ({
    page,
    member,
    database,
  }) => {
    const menu = await (await member()).code({ name: 'Menu' })
    await recordPast(database.location, [{ code_id: menu.id, at: Date.now() - 10 * DAY_MS }])
    const today = Math.floor(Date.now() / DAY_MS)
    await setMark(database.db, FIRST_COMPLETE_DAY, today)
    try {
      await page.goto(`/dashboard?qr=${menu.id}&as=line`)
      await expect(drawer(page)).toContainText('these days are in UTC')
      await expect(drawer(page).getByRole('radio', { name: 'Line' })).toBeChecked()
      await (await country(page, 'Germany')).click()
      const tooLong = 'This range is too long for this filter. Choose a shorter one.'
      await expect(drawer(page).getByRole('alert')).toContainText(tooLong)
      await drawer(page).getByRole('alert').getByRole('button', { name: 'Remove' }).click()
      await expect(figure(page, 'Scans')).toHaveText('1')
      await part(page, 'Where').getByRole('radio', { name: 'Cities' }).click()
      await expect(part(page, 'Where')).toContainText(tooLong)
    } finally {
      await setMark(database.db, FIRST_COMPLETE_DAY, 0)
    }
  })
})
