import { readFile } from 'node:fs/promises'
import type { Download } from '@playwright/test'
import sharp from 'sharp'
import { downloaded } from './files.ts'
import { expect, test } from './fixtures.ts'
import { IN_GERMANY, scanFrom } from './scan.ts'
import { drawer } from './screens.ts'

const SCANS = 12
const NAME = '=Menu & "more" <b>'

test.use({ timezoneId: 'UTC', colorScheme: 'dark' })

const textOf = async (file: Download) => readFile(await file.path(), 'utf8')

test('what the drawer shows is saved as tables and as pictures', async ({ page, member }) => {
  const menu = await (await member()).code({ name: NAME })
  await scanFrom(page, menu, Array(SCANS).fill(IN_GERMANY))
  await page.goto(`/dashboard?qr=${menu.id}&country=DE`)
  const days = /\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d/.source

  /** Saves what a card shows, by its menu. */
  const save = (card: string, title: string, kind: string) =>
    downloaded(page, async () => {
      const part = drawer(page).getByRole('region', { name: card })
      // Cards are read when they come in sight.
      await part.scrollIntoViewIfNeeded()
      const button = part.getByRole('button', { name: `Download ${title}` })
      await button.press('Enter')
      await drawer(page).getByRole('menuitem', { name: kind }).press('Enter')
      await expect(button).toBeFocused()
    })
  const saveScans = async () => {
    await drawer(page).getByRole('button', { name: 'Export and share' }).click()
    await drawer(page).getByRole('menuitem', { name: 'Download all scans (CSV)' }).click()
  }

  await test.step('a table of a card', async () => {
    const table = await save('Where', 'Scans: Countries', 'Table (CSV)')
    const wanted = new RegExp(`^tessera-menu-more-b-countries-${days}\\.csv$`)
    expect(table.suggestedFilename()).toMatch(wanted)
    expect(await textOf(table)).toBe(
      `\uFEFFCountry,Code,Scans,Percent\r\nGermany,DE,${SCANS},100\r\n`,
    )
  })

  await test.step('its picture as SVG, on white and with its name, filters and colours', async () => {
    const svg = await textOf(await save('Scans over time', 'Scans over time', 'Picture (SVG)'))
    // The unit tests have its words.
    expect(svg).toContain('fill="#ffffff"')
    expect(svg).toContain('>Only Country: Germany</text>')
  })

  await test.step('and as PNG, of twice as many pixels', async () => {
    const file = await save('Where', 'Scans: Countries', 'Picture (PNG)')
    const picture = sharp(await file.path())
    const { width, height, format } = await picture.metadata()
    expect([format, width]).toEqual(['png', 1920])
    expect(height).toBeGreaterThan(900)
    const corner = await picture.extract({ left: 0, top: 0, width: 1, height: 1 }).raw().toBuffer()
    expect([...corner.subarray(0, 3)]).toEqual([255, 255, 255])
  })

  await test.step('the scans, which can be cancelled while they come', async () => {
    const held = Promise.withResolvers<void>()
    await page.route('**/api/analytics/scans?**', async (route) => {
      await held.promise
      await route.fallback()
    })
    await saveScans()
    await expect(drawer(page).getByRole('progressbar', { name: 'Downloading scans' })).toBeVisible()
    await drawer(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(drawer(page).getByRole('progressbar', { name: 'Downloading scans' })).toBeHidden()
    held.resolve()
    const table = await downloaded(page, saveScans)
    expect(table.suggestedFilename()).toMatch(
      new RegExp(`^tessera-menu-more-b-scans-${days}\\.csv$`),
    )
    expect((await textOf(table)).trimEnd().split('\r\n')).toHaveLength(SCANS + 1)
    await expect(drawer(page)).toContainText(`${SCANS} scans downloaded.`)
  })
})
