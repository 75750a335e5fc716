import type { Page } from '@playwright/test'
import axe, { type RunOptions } from 'axe-core'
import { inTurn, isSoak } from '../support/soak.ts'
import { walks } from './every-screen.ts'
import { expect, test } from './fixtures.ts'
import { motionOf } from './motion.ts'

/** 320 px is a desktop of 1,280 px at a zoom of 400 % (WCAG 2.2, 1.4.10), 640 px at 200 %. */
const ZOOMED = { width: 320, height: 256 }
/** The two layouts, by the rules. */
const CHECKED_WIDTHS = [390, 1440]
/** Widths between them, at which no screen may be wider than its window either. */
const WIDTHS_BETWEEN = [640, 768, 1024, 1200]
/** Dark differs from light in nothing but color. */
const COLOR_RULES: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

type Look = { width: number; colorScheme: 'light' | 'dark'; rules: RunOptions }

/**
 * In CI a screen is checked by every rule in light in one layout, and for its color in dark in the
 * other; a soak checks all four.
 */
function looksAt(count: number): Look[] {
  const [one = 0, other = 0] = count % 2 ? CHECKED_WIDTHS.toReversed() : CHECKED_WIDTHS
  const light = { colorScheme: 'light', rules: {} } as const
  const dark = { colorScheme: 'dark', rules: COLOR_RULES } as const
  const looks = [
    { width: other, ...dark },
    { width: one, ...light },
  ]
  return isSoak ? [...looks, { width: one, ...dark }, { width: other, ...light }] : looks
}

// The browser's lines about pages that are meant to be refused or signed out.
test.use({
  reducedMotion: 'reduce',
  expected: /status of (401|402|403|404|409|410|412)|(scans-chart|profile-page)/,
})

/** The screens that CI looks at: a page of a visitor, a new code, a saved one, and a page of the account. */
const IN_CI: Record<string, string> = {
  'the landing page': 'the landing page',
  'the dashboard without codes, and what cannot be loaded':
    'the dialog of a new code with mistakes',
  'the dialog of a code': 'the dialog of a code with a long name',
  'the profile': 'the profile near its limit',
}

for (const [index, [name, walk]] of Object.entries(walks).entries()) {
  const sample = IN_CI[name]
  const tag = sample ? [] : ['@soak']
  test(`${name} is readable at every width, light and dark`, { tag }, async ({ page, member }) => {
    test.slow()
    let count = index
    for await (const screen of walk(page, member)) {
      if (!isSoak && screen !== sample) continue
      await test.step(screen, () => expectUsable(page, screen, count))
      count++
      if (!isSoak) break
    }
  })
}

/** Leaves the page in light, and in a layout of a desktop or a phone in turns. */
async function expectUsable(page: Page, screen: string, count: number): Promise<void> {
  expect.soft(await motionOf(page), `${screen}, with less motion asked for`).toEqual([])
  await page.mouse.move(0, 0)
  await page.setViewportSize(ZOOMED)
  expect.soft(await overflowOf(page), `${screen}, at a zoom of 400 %`).toEqual([])
  expect.soft(await pinnedOf(page), `${screen}, at a zoom of 400 %`).toEqual([])
  for (const width of inTurn(WIDTHS_BETWEEN, count)) {
    await page.setViewportSize({ width, height: 900 })
    expect.soft(await overflowOf(page), `${screen}, ${width} px wide`).toEqual([])
  }
  for (const look of looksAt(count)) {
    const place = `${screen}, ${look.width} px wide, ${look.colorScheme}`
    await page.setViewportSize({ width: look.width, height: 900 })
    expect.soft(await overflowOf(page), place).toEqual([])
    expect.soft(await faultsOf(page, look), place).toEqual([])
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

/** The violations that axe-core finds, and their places. */
async function faultsOf(page: Page, { colorScheme, rules }: Look): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  await page.waitForFunction((wanted) => {
    const shown = document.documentElement.dataset.mantineColorScheme
    return shown === undefined || shown === wanted
  }, colorScheme)
  // Once a page: the source has half a megabyte. Our pages hold no frames of others.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (rules) => {
    // Without the passes, which take most of the time.
    const options = { ...rules, resultTypes: ['violations' as const] }
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options)
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    )
  }, rules)
}

/** The page, dialogs and tables that are wider than their window. A chart gets a few frames to follow. */
async function overflowOf(page: Page): Promise<string[]> {
  const FRAMES = 20
  for (let frame = 1; frame < FRAMES; frame++) {
    const wide = await wideIn(page)
    if (wide.length === 0) return wide
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
  return wideIn(page)
}

function wideIn(page: Page): Promise<string[]> {
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

/** Bars that keep their place while the rest scrolls, and would leave a low window little room. */
function pinnedOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isBar = ({ offsetHeight }: HTMLElement) => offsetHeight > 24 && offsetHeight < 200
    const isToast = (box: HTMLElement) => box.closest('[data-toast]')
    return [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((box) => isBar(box) && !isToast(box))
      .filter((box) => ['sticky', 'fixed'].includes(getComputedStyle(box).position))
      .map((box) => `${box.tagName} ${box.className}: ${box.offsetHeight} px stay`)
  })
}
