import { expect, test } from './fixtures.ts'
import { editing, openCode, openNewCode, ready, row } from './screens.ts'

/* Accessibility that axe does not see: names, small windows, the system's own colours and keys. */

test('a screen reader hears what everything of the main job is called', async ({
  page,
  member,
}) => {
  const owner = await member()
  await owner.code({ name: 'Poster', url: 'https://example.com/menu' })
  await owner.allChecked()
  await page.goto('/dashboard')
  await expect(row(page, 'Poster')).toMatchAriaSnapshot(`
    - row:
      - cell "Select Poster":
        - checkbox "Select Poster"
      - cell:
        - button "Poster"
        - button /Copy link/
      - cell:
        - link "https://example.com/menu"
      - cell /0 scans/
      - cell
      - cell /Active/
      - cell:
        - button /Download/
        - button "More for Poster"
  `)
  await openCode(page, 'Poster')
  await expect(editing(page)).toMatchAriaSnapshot(`
    - dialog "Edit QR Code":
      - heading "Edit QR Code"
      - button "Close"
      - text: QR Code Name
      - textbox "QR Code Name": Poster
      - text: Destination URL
      - textbox "Destination URL": https://example.com/menu
      - textbox "Custom URL (Optional)" [disabled]
      - radiogroup "Style":
        - radio /Classic/ [checked]
        - radio /Rounded/
      - radiogroup "Colour presets":
        - radio "Classic, black on white" [checked]
        - radio "Ocean, deep blue on pale blue"
        - radio "Forest, deep green on pale green"
      - textbox "Pick foreground"
      - textbox "Foreground colour": "#000000"
      - button "Printing options"
      - button "Cancel"
      - button "Save QR Code"
  `)
  await page.keyboard.press('Escape')
  const form = await openNewCode(page)
  await form.getByLabel('QR Code Name').fill('Flyer')
  await form.getByLabel('Destination URL').fill('https://example.com/flyer')
  await form.getByRole('button', { name: 'Save QR Code' }).click()
  await expect(ready(page)).toMatchAriaSnapshot(`
    - dialog "Your code is ready":
      - heading "Your code is ready"
      - button "Close"
      - figure:
        - img "QR code preview"
      - region "Download and print":
        - heading "Download and print"
        - button "SVG"
        - button "PNG"
        - button "JPG"
        - button "ZIP All"
        - button "PDF"
        - textbox "Print size (mm)"
      - region "Try it before you print":
        - heading "Try it before you print"
        - status
        - button "Scan it now"
      - button "Copy link"
      - button "Make another"
      - button "Done"
  `)
})

test('a choice is one stop of the Tab key, and is seen where the system chooses the colours', async ({
  page,
  member,
}) => {
  await member()
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto('/dashboard')
  const dialog = await openNewCode(page)
  const stops = (group: string) =>
    dialog.getByRole('radiogroup', { name: group }).locator('[role=radio][tabindex="0"]')
  for (const group of ['Style', 'Colour presets']) await expect(stops(group)).toHaveCount(1)
  await stops('Colour presets').press('ArrowRight')
  const ocean = dialog.getByRole('radio', { name: 'Ocean' })
  await expect(ocean).toBeFocused()
  await expect(ocean).toBeChecked()
  await expect(stops('Colour presets')).toHaveAccessibleName('Ocean, deep blue on pale blue')
  const frame = (name: string) =>
    dialog
      .getByRole('radio', { name })
      .evaluate((card) => getComputedStyle(card, '::after').borderTopWidth)
  expect(await frame('Ocean')).not.toBe(await frame('Forest'))
  const swatches = await dialog
    .getByRole('radiogroup', { name: 'Colour presets' })
    .locator('[data-style]')
    .evaluateAll((all) => all.map((each) => getComputedStyle(each).backgroundColor))
  expect(new Set(swatches).size).toBe(swatches.length)

  // Custom colours match none of the presets: Tab comes to the first.
  await dialog.getByRole('textbox', { name: 'Foreground colour' }).fill('#123456')
  await expect(stops('Colour presets')).toHaveAccessibleName(/^Classic/)
})
