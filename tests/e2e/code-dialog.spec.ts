import type { Locator, Page, Request } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import {
  creating,
  editing,
  expectToast,
  figure,
  openCode,
  openNewCode,
  row,
  toasts,
} from './screens.ts'

const save = (dialog: Locator) => dialog.getByRole('button', { name: /^(Save QR Code|Saving)/ })
const field = (dialog: Locator, label: string) => dialog.getByLabel(label)
const preview = (dialog: Locator) => dialog.getByRole('img', { name: 'QR code preview' })
const choice = (dialog: Locator, group: string, name: string) =>
  dialog.getByRole('radiogroup', { name: group }).getByRole('radio', { name })

async function fill(dialog: Locator, name: string, url = 'https://example.com/menu') {
  await field(dialog, 'QR Code Name').fill(name)
  await field(dialog, 'Destination URL').fill(url)
}

const isPreview = (request: Request) =>
  request.url().includes('/generate?') && request.url().includes('&t=') && !sizeOf(request)
const sizeOf = (request: Request) => new URL(request.url()).searchParams.get('size')

/** Holds every request that a pattern matches until it is let go. */
async function hold(page: Page, url: string, method: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(url, async (route) => {
    if (route.request().method() === method) await held
    await route.fallback()
  })
  return release
}

test('a new code begins with an empty form and its draft’s picture', async ({ page, member }) => {
  await member()
  await page.goto('/dashboard')
  const release = await hold(page, '/api/qr-codes/draft', 'POST')
  await page.getByRole('button', { name: 'Create New QR Code' }).click()
  const dialog = creating(page)
  await expect(dialog.getByText('Generating QR code...')).toBeVisible()
  await expect(save(dialog)).toHaveText('Save QR Code')
  await expect(save(dialog)).toBeDisabled()
  release()
  await expect(save(dialog)).toBeEnabled()
  await expect(dialog.getByText('Generating QR code...')).toBeHidden()
  await expect(preview(dialog)).toBeVisible()

  const name = field(dialog, 'QR Code Name')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('')
  await expect(name).toHaveAttribute('placeholder', 'My Website QR Code')
  await expect(field(dialog, 'Destination URL')).toHaveValue('')
  await expect(choice(dialog, 'Style', 'Classic')).toBeChecked()
  await expect(choice(dialog, 'Colour presets', 'Classic')).toBeChecked()
  await expect(field(dialog, 'Foreground colour')).toHaveValue('#000000')
  await expect(field(dialog, 'Background colour')).toHaveValue('#FFFFFF')
  await expect(dialog.getByText('Sharp corners, traditional look')).toBeVisible()
  await expect(dialog.getByText('Soft rounded corners, modern feel')).toBeVisible()
  await expect(dialog.getByText('Performance Stats')).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'PNG' })).toHaveCount(0)
})

test('the dialog says what it does, and has forgotten what was edited before', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  await openCode(page, 'Poster')
  await expect(page.getByRole('dialog', { name: 'Edit QR Code', exact: true })).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Create New QR Code', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Create New QR Code', exact: true })
  await expect(save(dialog)).toBeEnabled()
  await expect(field(dialog, 'QR Code Name')).toHaveValue('')
  await expect(dialog.getByText('Performance Stats')).toHaveCount(0)
})

test('the name, custom URL, style and colors of the draft fill the form', async ({
  page,
  member,
}) => {
  await member({ tier: 'professional' })
  await page.route('/api/qr-codes/draft', async (route) => {
    const draft = await (await route.fetch()).json()
    const words = { name: 'Poster', vanityUrl: 'summer' }
    const looks = { style: 'rounded', foregroundColor: '#123456', backgroundColor: '#fedcba' }
    await route.fulfill({ json: { ...draft, ...words, ...looks } })
  })
  await page.goto('/dashboard')
  const dialog = await openNewCode(page)
  await expect(field(dialog, 'QR Code Name')).toHaveValue('Poster')
  await expect(field(dialog, 'Custom URL (Optional)')).toHaveValue('summer')
  await expect(choice(dialog, 'Style', 'Rounded')).toBeChecked()
  await expect(field(dialog, 'Foreground colour')).toHaveValue('#123456')
  await expect(field(dialog, 'Background colour')).toHaveValue('#fedcba')
})

test('what somebody types before the draft has come is kept', async ({ page, member }) => {
  await member()
  await page.goto('/dashboard')
  const release = await hold(page, '/api/qr-codes/draft', 'POST')
  await page.getByRole('button', { name: 'Create New QR Code' }).click()
  const dialog = creating(page)
  await fill(dialog, 'Early bird')
  await choice(dialog, 'Colour presets', 'Rose').click()
  release()
  await save(dialog).click()
  await expect(dialog).toBeHidden()
  const saved = await openCode(page, 'Early bird')
  await expect(choice(saved, 'Colour presets', 'Rose')).toBeChecked()
})

test('a code is saved from every field of the form', async ({ page, member }) => {
  await member()
  await page.goto('/dashboard')
  const dialog = await openNewCode(page)
  await fill(dialog, 'Poster', 'https://example.com/poster')
  await choice(dialog, 'Style', 'Rounded').click()
  await choice(dialog, 'Colour presets', 'Forest').click()
  const release = await hold(page, '/api/qr-codes/*', 'PATCH')
  await save(dialog).click()
  await expect(save(dialog)).toHaveText('Saving...')
  await expect(save(dialog)).toBeDisabled()
  release()
  await expectToast(page, 'Success', 'QR code saved successfully!')
  await expect(dialog).toBeHidden()

  const saved = await openCode(page, 'Poster')
  await expect(field(saved, 'Destination URL')).toHaveValue('https://example.com/poster')
  await expect(choice(saved, 'Style', 'Rounded')).toBeChecked()
  await expect(field(saved, 'Foreground colour')).toHaveValue('#166534')
  await expect(field(saved, 'Background colour')).toHaveValue('#f0fdf4')
})

test('the form says at the field what is wrong, and goes to the first', async ({
  page,
  member,
}) => {
  await member()
  await page.goto('/dashboard')
  const dialog = await openNewCode(page)
  await save(dialog).click()
  await expect(field(dialog, 'QR Code Name')).toHaveAccessibleDescription('Name is required')
  await expect(field(dialog, 'Destination URL')).toHaveAccessibleDescription('Must be a valid URL')
  await expect(field(dialog, 'QR Code Name')).toBeFocused()

  await field(dialog, 'QR Code Name').fill('Poster')
  for (const address of ['example', 'ftp://example.com/', 'javascript:alert(1)']) {
    await field(dialog, 'Destination URL').fill(address)
    await save(dialog).click()
    await expect(field(dialog, 'Destination URL')).toHaveAccessibleDescription(
      'Must be a valid URL',
    )
    await expect(field(dialog, 'Destination URL')).toBeFocused()
  }
  await field(dialog, 'Foreground colour').fill('#12')
  await field(dialog, 'Destination URL').fill('https://example.com/')
  await save(dialog).click()
  await expect(field(dialog, 'Foreground colour')).toHaveAccessibleDescription(
    'Must be a hex colour such as #1e40af',
  )
  await expect(toasts(page)).toHaveCount(0)
  await field(dialog, 'Foreground colour').fill('#123')
  await save(dialog).click()
  await expect(dialog).toBeHidden()
})

/** Each preset's foreground on its background. */
const presetColours = {
  Classic: ['#000000', '#FFFFFF'],
  Ocean: ['#1e40af', '#f0f9ff'],
  Forest: ['#166534', '#f0fdf4'],
  Sunset: ['#dc2626', '#fef2f2'],
  Purple: ['#7c3aed', '#faf5ff'],
  Gold: ['#d97706', '#fffbeb'],
  Dark: ['#FFFFFF', '#111827'],
  Rose: ['#e11d48', '#fff1f2'],
} as const

test('each preset sets both colors and shows as chosen', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  const presets = dialog.getByRole('radiogroup', { name: 'Colour presets' })
  await expect(presets.getByRole('radio')).toHaveText(Object.keys(presetColours))
  for (const [name, [foreground, background]] of Object.entries(presetColours)) {
    await presets.getByRole('radio', { name }).click()
    await expect(field(dialog, 'Foreground colour')).toHaveValue(foreground)
    await expect(field(dialog, 'Background colour')).toHaveValue(background)
    await expect(field(dialog, 'Pick foreground')).toHaveValue(foreground.toLowerCase())
    await expect(field(dialog, 'Pick background')).toHaveValue(background.toLowerCase())
    await expect(presets.getByRole('radio', { checked: true })).toHaveCount(1)
    await expect(presets.getByRole('radio', { name })).toBeChecked()
  }
})

test('a color that is picked is typed out, and one that is typed is picked', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await field(dialog, 'Pick foreground').fill('#0b7285')
  await expect(field(dialog, 'Foreground colour')).toHaveValue('#0b7285')
  await field(dialog, 'Background colour').fill('#FD0')
  await expect(field(dialog, 'Pick background')).toHaveValue('#ffdd00')
  const presets = dialog.getByRole('radiogroup', { name: 'Colour presets' })
  await expect(presets.getByRole('radio', { checked: true })).toHaveCount(0)
  await save(dialog).click()
  await expect(dialog).toBeHidden()
  const saved = await openCode(page, 'Poster')
  await expect(field(saved, 'Foreground colour')).toHaveValue('#0b7285')
})

test('the preview follows a change of style or color, once it has settled', async ({
  page,
  member,
}) => {
  const { id } = await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await expect(preview(dialog)).toBeVisible()
  const asked: URLSearchParams[] = []
  page.on('request', (request) => {
    if (isPreview(request)) asked.push(new URL(request.url()).searchParams)
  })
  await choice(dialog, 'Style', 'Rounded').click()
  await expect(preview(dialog)).toHaveAttribute('src', /style=rounded/)
  await field(dialog, 'Foreground colour').fill('#1e40')
  await field(dialog, 'Foreground colour').pressSequentially('af')
  await expect(preview(dialog)).toHaveAttribute('src', /fg=%231e40af/)
  const source = await preview(dialog).getAttribute('src')
  expect(source).toContain(`/api/qr-codes/${id}/generate?format=png`)
  await expect
    .poll(() => preview(dialog).evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
  expect(asked.map((query) => [query.get('style'), query.get('fg'), query.get('bg')])).toEqual([
    ['rounded', '#000000', '#FFFFFF'],
    ['rounded', '#1e40af', '#FFFFFF'],
  ])
  const stamps = asked.map((query) => query.get('t'))
  expect(stamps.every((stamp) => stamp && /^\d+$/.test(stamp))).toBe(true)
  expect(new Set(stamps).size).toBe(2)
})

test('the preview waits 150 ms for the next change', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.clock.install()
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await expect(preview(dialog)).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await choice(dialog, 'Style', 'Rounded').click()
  await expect(choice(dialog, 'Style', 'Rounded')).toBeChecked()
  await page.clock.runFor(150 - 1)
  await expect(preview(dialog)).toHaveAttribute('src', /style=classic/)
  await page.clock.runFor(1)
  await expect(preview(dialog)).toHaveAttribute('src', /style=rounded/)
})

test('two tabs that create at the same time make two codes', async ({ page, context, member }) => {
  await member()
  const other = await context.newPage()
  await page.goto('/dashboard')
  await other.goto('/dashboard')
  const first = await openNewCode(page)
  const second = await openNewCode(other)
  await fill(first, 'Poster')
  await fill(second, 'Flyer')
  await save(first).click()
  await expect(first).toBeHidden()
  await save(second).click()
  await expect(second).toBeHidden()
  await expect(row(other, 'Poster')).toBeVisible()
  await expect(row(other, 'Flyer')).toBeVisible()
  await expect(figure(other, 'Total QR Codes')).toHaveText('2')
})

test('a dialog that is opened again after a save makes a second code', async ({ page, member }) => {
  await member()
  await page.goto('/dashboard')
  for (const name of ['Poster', 'Flyer']) {
    const dialog = await openNewCode(page)
    await expect(field(dialog, 'QR Code Name')).toHaveValue('')
    await fill(dialog, name)
    await save(dialog).click()
    await expect(dialog).toBeHidden()
  }
  await expect(row(page, 'Poster')).toBeVisible()
  await expect(row(page, 'Flyer')).toBeVisible()
})

test('the dialog closes by Cancel and by Esc, changes nothing and gives the focus back', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const opener = row(page, 'Poster').getByRole('button', { name: 'Edit' })
  for (const way of ['Cancel', 'Close', 'Esc']) {
    await opener.click()
    await expect(field(editing(page), 'QR Code Name')).toBeFocused()
    if (way === 'Esc') await page.keyboard.press('Escape')
    else await editing(page).getByRole('button', { name: way }).click()
    await expect(editing(page)).toBeHidden()
    await expect(opener).toBeFocused()
    await expect(row(page, 'Poster')).toBeVisible()
  }
})

test('a code that was given up leaves nothing in the list', async ({ page, member }) => {
  await member()
  await page.goto('/dashboard')
  const dialog = await openNewCode(page)
  await fill(dialog, 'Poster')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create New QR Code' })).toBeFocused()
  await page.reload()
  await expect(page.getByText('No QR codes yet')).toBeVisible()
  await expect(figure(page, 'Plan Usage')).toHaveText('0/3 QR codes')
})

test('after the first save the focus is at the list, where the opener has gone', async ({
  page,
  member,
}) => {
  await member()
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Create Your First QR Code' }).click()
  await fill(creating(page), 'Poster')
  await save(creating(page)).click()
  await expect(row(page, 'Poster')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your QR Codes' })).toBeFocused()
})

test.describe('Performance Stats', () => {
  const stats = (dialog: Locator) => dialog.getByRole('region', { name: 'Performance Stats' })

  async function withAnalytics(page: Page, json: object) {
    await page.route('/api/analytics/qr-code/*', (route) => route.fulfill({ json }))
  }

  test('wait, then show the four figures', async ({ page, member }) => {
    await (await member()).code({ name: 'Poster' })
    const release = await hold(page, '/api/analytics/qr-code/*', 'GET')
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Poster')
    await expect(stats(dialog).getByRole('term')).toHaveText([
      ...['Total', 'Monthly', 'Country', 'Device'],
    ])
    await expect(stats(dialog).locator('.mantine-Skeleton-root')).toHaveCount(4)
    await expect(dialog.getByText('No analytics data available yet')).toHaveCount(0)
    release()
    await expect(stats(dialog).locator('.mantine-Skeleton-root')).toHaveCount(0)
    await expect(dialog.getByText('No analytics data available yet')).toBeVisible()
    await expect(figure(stats(dialog), 'Total')).toHaveText('0')
    await expect(figure(stats(dialog), 'Country')).toHaveText('N/A')
    await expect(figure(stats(dialog), 'Device')).toHaveText('N/A')
  })

  test('show what there is, and N/A for what is missing', async ({ page, member }) => {
    await (await member()).code({ name: 'Poster' })
    await withAnalytics(page, {
      ...{ totalScans: 1204, scansThisMonth: 7, topCountries: [] },
      topDevices: [{ device: 'Tablet', scans: 1204 }],
    })
    await page.goto('/dashboard')
    const dialog = await openCode(page, 'Poster')
    await expect(figure(stats(dialog), 'Total')).toHaveText('1,204')
    await expect(figure(stats(dialog), 'Monthly')).toHaveText('7')
    await expect(figure(stats(dialog), 'Country')).toHaveText('N/A')
    await expect(figure(stats(dialog), 'Device')).toHaveText('Tablet')
    await expect(dialog.getByText('No analytics data available yet')).toHaveCount(0)
  })

  test.describe('that cannot be read', () => {
    test.use({ expected: /status of 500|^500:/ })

    test('show N/A, not zeros', async ({ page, member }) => {
      await (await member()).code({ name: 'Poster' })
      await page.route('/api/analytics/qr-code/*', (route) => route.fulfill({ status: 500 }))
      await page.goto('/dashboard')
      const dialog = await openCode(page, 'Poster')
      for (const term of ['Total', 'Monthly', 'Country', 'Device']) {
        await expect(figure(stats(dialog), term)).toHaveText('N/A')
      }
      await expect(dialog.getByText('No analytics data available yet')).toBeVisible()
    })
  })
})

test.describe('before printing', () => {
  const inDays = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toLocaleDateString('en-US', { dateStyle: 'medium' })

  test('somebody on the free plan reads when a code will end', async ({ page, member }) => {
    const account = await member()
    await account.code({ name: 'Poster' })
    await page.goto('/dashboard')
    const dialog = await openNewCode(page)
    await expect(dialog).toContainText(`Stops working on ${inDays(14)}`)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(await openCode(page, 'Poster')).toContainText(`Stops working on ${inDays(14)}`)
  })

  test('somebody on a paid plan reads of no end', async ({ page, member }) => {
    await (await member({ tier: 'starter' })).code({ name: 'Poster' })
    await page.goto('/dashboard')
    await expect(await openNewCode(page)).not.toContainText('working on')
  })

  test('somebody on a private server reads that the code scans nowhere else', async ({
    page,
    member,
    server,
  }) => {
    await member()
    await page.goto('/dashboard')
    const { host } = new URL(server.origin)
    await expect(await openNewCode(page)).toContainText(
      `${host} is a private address: this code will not scan on other devices.`,
    )
  })
})

test('a download carries the form’s colors and name', async ({ page, member }) => {
  await (await member()).code({ name: 'Poster' })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Poster')
  await field(dialog, 'QR Code Name').fill('Flyer')
  await choice(dialog, 'Colour presets', 'Gold').click()
  for (const { button, file } of [
    ...['svg', 'png', 'jpg'].map((format) => ({
      button: format.toUpperCase(),
      file: `Flyer.${format}`,
    })),
    { button: 'ZIP All', file: 'Flyer_all_formats.zip' },
    { button: 'PDF', file: 'Flyer.pdf' },
  ]) {
    const asked = page.waitForRequest(/fg=%23d97706&bg=%23fffbeb&ecc=M&compact=false/)
    const started = page.waitForEvent('download')
    await dialog.getByRole('button', { name: button, exact: true }).click()
    expect((await started).suggestedFilename()).toBe(file)
    await asked
  }
})

test('a code that cannot be scanned is downloaded only after a second thought', async ({
  page,
  member,
}) => {
  await (await member()).code({ name: 'Ghost', foregroundColor: '#FFFFFF' })
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/legibility?')) asked.push(request.url())
  })
  await page.goto('/dashboard')
  const dialog = await openCode(page, 'Ghost')
  await expect(dialog.getByText('Scans: unreadable')).toBeVisible()
  expect(asked).toHaveLength(1)
  const question = page.getByRole('dialog', { name: 'This code cannot be scanned' })
  const png = dialog.getByRole('button', { name: 'PNG', exact: true })
  await png.click()
  await expect(question).toContainText(/.{20,}\./)
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(png).toBeFocused()

  await png.click()
  const started = page.waitForEvent('download')
  await question.getByRole('button', { name: 'Download anyway' }).click()
  expect((await started).suggestedFilename()).toBe('Ghost.png')
  await expect(dialog).toBeVisible()
})
