import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { choose, openCode, row } from './screens.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

/** The smallest that a finger hits, in px. */
const TARGET = 44
/** Where a phone does not zoom into a field, in px. */
const READABLE = 16

const WIDTHS = [320, 360, 390, 768, 1180]

/** Every width's controls that fingers miss, or that a phone zooms into. */
async function expectForFingers(page: Page): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 844 })
    expect(await missedBy(page), `${width} px wide`).toEqual([])
    const seen = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(seen, `${width} px wide`).toBeLessThanOrEqual(width)
  }
}

/** Links in a sentence are as high as its lines; a tick may stand in a label that is larger. */
function missedBy(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ target, readable }) => {
      const scope = [...document.querySelectorAll('[role=dialog]')].at(-1) ?? document
      const controls = [
        ...scope.querySelectorAll<HTMLElement>('a, button, input, select, textarea'),
      ]
      return controls.filter(isThere).flatMap((control) => {
        const { width, height } = targetOf(control).getBoundingClientRect()
        const faults = [
          ...(Math.min(width, height) < target - 0.5 ? [`${width} x ${height}`] : []),
          ...(isText(control) && sizeOf(control) < readable ? [`${sizeOf(control)} px text`] : []),
        ]
        return faults.map((fault) => `${fault}: ${control.outerHTML.slice(0, 160)}`)
      })

      function isThere(control: HTMLElement) {
        const { display } = getComputedStyle(control)
        const isSeen = control.checkVisibility({ visibilityProperty: true })
        return isSeen && display !== 'inline' && !control.closest('thead:not(:focus-within)')
      }
      function targetOf(control: HTMLElement): HTMLElement {
        const labels = control instanceof HTMLInputElement ? [...(control.labels ?? [])] : []
        return isText(control)
          ? (control.closest<HTMLElement>('.mantine-Input-input') ?? control)
          : (labels[0] ?? control)
      }
      function isText(control: HTMLElement) {
        return control.matches(
          'select, textarea, input:not([type=radio], [type=checkbox], [type=color])',
        )
      }
      function sizeOf(control: HTMLElement) {
        return Number.parseFloat(getComputedStyle(control).fontSize)
      }
    },
    { target: TARGET, readable: READABLE },
  )
}

test('fingers hit everything on the dashboard and in its dialogs', async ({ page, member }) => {
  const account = await member({ tier: 'professional' })
  const { id } = await account.code({ name: `Menu ${'for the summer '.repeat(8)}`.trim() })
  await account.code({ name: 'Poster' })
  await page.goto('/dashboard')
  await test.step('the dashboard, and with a code selected', async () => {
    await expect(row(page, 'Poster')).toContainText('0 scans')
    await expectForFingers(page)
    await page.getByRole('checkbox', { name: 'Select Poster' }).check()
    await expect(page.getByRole('region', { name: 'Selected QR codes' })).toBeVisible()
    await expectForFingers(page)
    await page.getByRole('button', { name: 'Clear selection' }).click()
  })
  await test.step('the dialog of a code', async () => {
    await page.setViewportSize({ width: 320, height: 844 })
    const dialog = await openCode(page, 'Poster')
    for (const name of ['All formats', 'Custom URL', 'Tags', 'Printing options']) {
      await dialog.getByRole('button', { name }).click()
    }
    await expect(dialog.getByRole('radio', { name: 'High (30%)' })).toBeVisible()
    await expectForFingers(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })
  await test.step('a question', async () => {
    await choose(page, 'Poster', 'Delete')
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectForFingers(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })
  await test.step('the trash', async () => {
    await page.request.delete(`/api/qr-codes/${id}`)
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Trash', exact: true }).click()
    await expect(page.getByRole('button', { name: /^Restore Menu/ })).toBeVisible()
    await expectForFingers(page)
  })
})
