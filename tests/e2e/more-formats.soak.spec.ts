import { codeArtwork } from '#contract/pictures/artwork.ts'
import { decodePicture } from '../support/decode.ts'
import { downloaded } from './files.ts'
import { expect, test } from './fixtures.ts'
import { openCode, row } from './screens.ts'

const artwork = codeArtwork.parse({
  frame: {
    shape: 'ticket',
    text: 'Σάρωσέ με',
    size: 'medium',
    color: '#166534',
    textColor: '#ffffff',
  },
})

test('a framed code is copied and downloaded', async ({ page, member, server, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const account = await member({ tier: 'professional' })
  const { shortCode } = await account.code({ name: 'Menu / Lunch', artwork })
  await page.goto('/dashboard')
  await expect(row(page, 'Menu / Lunch').locator('img')).toHaveCSS('object-fit', 'contain')
  const dialog = await openCode(page, 'Menu / Lunch')
  await dialog.getByRole('button', { name: 'Printing options' }).click()
  await dialog.getByRole('textbox', { name: 'Pixels' }).fill('400')
  await dialog.getByRole('button', { name: 'Copy image' }).click()
  await expect(page.getByText('Image copied')).toBeVisible()
  const copied = await page.evaluate(async () => {
    const [item] = await navigator.clipboard.read()
    const picture = await item?.getType('image/png')
    return [...new Uint8Array((await picture?.arrayBuffer()) ?? [])]
  })
  expect(await decodePicture(Uint8Array.from(copied))).toBe(`${server.origin}/qr/${shortCode}`)

  for (const name of ['WebP', 'EPS']) {
    await dialog.getByRole('button', { name: 'More formats' }).click()
    const item = page.getByRole('menuitem', { name: `Download ${name}`, exact: true })
    const download = await downloaded(page, () => item.click())
    expect(download.suggestedFilename()).toBe(`Menu Lunch.${name.toLowerCase()}`)
  }
  await dialog.getByRole('textbox', { name: 'Pixels' }).fill('63')
  await expect(dialog.getByRole('button', { name: 'Copy image' })).toBeDisabled()
})
