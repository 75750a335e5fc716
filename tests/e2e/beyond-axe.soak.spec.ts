import { expect, test } from './fixtures.ts'
import { goToNewCode } from './screens.ts'

test('a choice is one stop of the Tab key and seen in forced colours', async ({ page, member }) => {
  await member()
  await page.emulateMedia({ forcedColors: 'active' })
  const dialog = await goToNewCode(page)
  const stops = (group: string) =>
    dialog.getByRole('radiogroup', { name: group }).locator('[role=radio][tabindex="0"]')
  for (const group of ['Style', 'Color presets']) await expect(stops(group)).toHaveCount(1)
  await stops('Color presets').press('ArrowRight')
  const ocean = dialog.getByRole('radio', { name: 'Ocean' })
  await expect(ocean).toBeFocused()
  await expect(ocean).toBeChecked()
  await expect(stops('Color presets')).toHaveAccessibleName('Ocean, deep blue on pale blue')
  const frame = (name: string) =>
    dialog
      .getByRole('radio', { name })
      .evaluate((card) => getComputedStyle(card, '::after').borderTopWidth)
  expect(await frame('Ocean')).not.toBe(await frame('Forest'))
  const swatches = await dialog
    .getByRole('radiogroup', { name: 'Color presets' })
    .locator('[data-style]')
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor))
  expect(new Set(swatches).size).toBe(swatches.length)

  // Custom colours match none of the presets: Tab comes to the first.
  await dialog.getByRole('textbox', { name: 'Foreground color' }).fill('#123456')
  await expect(stops('Color presets')).toHaveAccessibleName(/^Classic/)
})
