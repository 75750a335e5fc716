import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { isSoak } from '../support/soak.ts'
import { screens } from './every-screen.ts'
import { expect, test } from './fixtures.ts'
import { motionOf } from './motion.ts'

/** 320 px is a desktop of 1,280 px at a zoom of 400 % (WCAG 2.2, 1.4.10), 640 px at 200 %. */
const WIDTHS = [320, 390, 640, 768, 1024, 1200, 1440]
/** Where the layout differs, every rule is checked in light and dark. */
const CHECKED_WIDTHS = [390, 1440]

// What a browser says about pages that are meant to be refused or signed out.
test.use({
  reducedMotion: 'reduce',
  expected: /status of (401|402|403|404|410)|(scans-chart|profile-page)/,
})

/** In CI the dark is looked at in one width of each screen, in turns; a soak looks at all. */
function schemesAt(screen: number, width: number): ('light' | 'dark')[] {
  const hasDark = isSoak || screen % CHECKED_WIDTHS.length === CHECKED_WIDTHS.indexOf(width)
  return hasDark ? ['light', 'dark'] : ['light']
}

for (const [screen, { name, open }] of screens.entries()) {
  test(`everybody can read and use ${name}, at every width, in light and dark`, async ({
    page,
    member,
  }) => {
    await open(page, member)
    expect(await motionOf(page), 'with less motion asked for').toEqual([])
    await page.mouse.move(0, 0)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflowOf(page), `${width} px wide`).toEqual([])
    }
    for (const width of CHECKED_WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      for (const colorScheme of schemesAt(screen, width)) {
        const faults = await faultsOf(page, colorScheme)
        expect(faults, `${width} px wide, ${colorScheme}`).toEqual([])
      }
    }
  })
}

test('everybody can read and use the open menu of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/')
  await page.getByRole('button', { name: 'Open menu' }).click()
  for (const colorScheme of ['light', 'dark'] as const) {
    expect(await faultsOf(page, colorScheme), colorScheme).toEqual([])
  }
})

/** What axe-core finds, in a form that says where to look. Dark differs from light in nothing but color. */
async function faultsOf(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  // A color on its way from light to dark is neither.
  await page.addStyleTag({ content: '*, *::before, *::after { transition: none !important }' })
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((wanted) => {
    const shown = document.documentElement.dataset.mantineColorScheme
    return shown === undefined || shown === wanted
  }, colorScheme)
  // Our pages hold no frames of others: one run in the page itself sees all there is.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  if (colorScheme === 'dark') axe.withRules(['color-contrast', 'link-in-text-block'])
  const { violations } = await axe.analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  )
}

/** What is wider than its window: the page, the open dialog, the table. */
function overflowOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const tables = [...document.querySelectorAll('[role=table]')].map(
      (table) => table.parentElement,
    )
    const dialogs = document.querySelectorAll('[role=dialog]')
    const boxes = [document.documentElement, ...dialogs, ...tables].filter((box) => box !== null)
    const wide = boxes.filter((box) => box.scrollWidth > box.clientWidth + 1)
    return wide.map((box) => `${box.className}: ${box.scrollWidth} in ${box.clientWidth}`)
  })
}
