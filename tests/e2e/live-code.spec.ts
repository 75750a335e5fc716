import type { Locator, Page } from '@playwright/test'
import { decodePicture } from '../support/decode.ts'
import { expect, test } from './fixtures.ts'
import { HeldAnswers } from './held-answers.ts'

const PRESETS = ['Classic', 'Ocean', 'Dark', 'Rose']
const LINK = 'https://www.cafe-luna.example/menu?table=4'

const bench = (page: Page) => page.getByRole('region', { name: 'Try it with your own link' })
const field = (page: Page) => bench(page).getByRole('textbox', { name: /^Where should your code/ })
const picture = (page: Page) => bench(page).getByRole('img', { name: /^QR code/ })
const choice = (page: Page, name: string) =>
  bench(page)
    .getByRole('group', { name: /^Classic$|^Rounded$/.test(name) ? 'Style' : /^Colors/ })
    .getByRole('radio', { name: new RegExp(`^${name}`) })

const colour = (page: Page, name: string) =>
  bench(page)
    .getByRole('group', { name: /^Colors/ })
    .getByLabel(name)

/** Returns the link that a phone would read on the screen. */
async function scanned(shown: Locator): Promise<string | null> {
  await shown.scrollIntoViewIfNeeded()
  return decodePicture(await shown.screenshot())
}

const expectToLeadTo = (page: Page, link: string) =>
  expect(picture(page)).toHaveAccessibleName(`QR code that leads to ${link}`)

test('the code follows each link, in the browser alone', { tag: '@soak' }, async ({ page }) => {
  const asked: string[] = []
  page.context().on('request', (request) => {
    asked.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`)
  })
  await page.goto('/')

  await test.step('the browser itself checks whether the code scans', async () => {
    const verdict = bench(page).getByRole('status')
    await page.mouse.move(200, 200)
    expect(page.workers()).toEqual([])
    expect(await scanned(picture(page))).toBe('https://example.com/menu')
    await field(page).pressSequentially(LINK)
    await expectToLeadTo(page, LINK)
    await expect(verdict).toContainText('Scans: excellent')
    await expect(verdict).toContainText('Both of our test scanners read this code')
    expect(page.workers()).toHaveLength(1)
    await choice(page, 'Dark').check()
    await expect(verdict).toContainText('May not scan')
    await expect(verdict).toContainText('lighter than its background')
  })

  await test.step('each look is another picture, and named', async () => {
    const seen = new Set<string | null>()
    for (const [index, name] of PRESETS.entries()) {
      const style = index % 2 ? 'Rounded' : 'Classic'
      await choice(page, style).check()
      await colour(page, name).check()
      await expect(bench(page).getByText(`Colors ${name}`)).toBeVisible()
      seen.add(await picture(page).getAttribute('src'))
    }
    expect(seen.size).toBe(PRESETS.length)
  })

  await test.step('a text that is not a link is refused beside the field, and the last code stays', async () => {
    // The unit tests have the other refusals.
    await field(page).fill('the menu')
    await expect(field(page)).toHaveAccessibleDescription(/^This link isn’t complete/)
    await expect(field(page)).toHaveAttribute('aria-invalid', 'true')
    await expectToLeadTo(page, LINK)
    await field(page).fill('')
    await expect(field(page)).toHaveAccessibleDescription(/stays in your browser/)
    await expectToLeadTo(page, 'https://example.com/menu')
  })

  await test.step('each link is shown as it was written', async () => {
    await field(page).fill('münchen.example/käse')
    await expectToLeadTo(page, 'https://münchen.example/käse')
    expect(await scanned(picture(page))).toBe('https://xn--mnchen-3ya.example/k%C3%A4se')
  })

  await test.step('nothing that was typed has left the browser', async () => {
    await page.waitForLoadState('networkidle')
    const { origin } = new URL(page.url())
    expect(asked.length).toBeGreaterThan(5)
    const others = asked.filter((line) => !/^GET \S+ $/.test(line) || !line.includes(` ${origin}/`))
    expect(others.filter((line) => !/^GET (data|blob):/.test(line))).toEqual([])
    expect(asked.filter((line) => line.includes('luna') && !line.includes('data:'))).toEqual([])
  })
})

test('menu and form work before the script has arrived', async ({ page }) => {
  const held = await HeldAnswers.hold(page, /\.js$/)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('link', { name: 'Login' }).click()
  await expect(page).toHaveURL('/api/login')

  await page.goto('/', { waitUntil: 'commit' })
  await page.getByRole('radio', { name: 'Monthly' }).check()
  await field(page).fill(LINK)
  await choice(page, 'Rounded').check()
  await choice(page, 'Forest').check()
  await held.release(/\.js$/)
  await expectToLeadTo(page, LINK)
  await expect(bench(page).getByText('Colors Forest')).toBeVisible()
  await expect(field(page)).toHaveValue(LINK)
  expect(await scanned(picture(page))).toBe(LINK)
  await expect(page.getByRole('radio', { name: 'Monthly' })).toBeChecked()
})

/** The fields that the tab keeps for the first draft of the next user who signs in. */
const keptFields = (page: Page) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('kept-form') ?? '{}').values)

async function follow(page: Page, way: string): Promise<void> {
  await page.getByRole('link', { name: way }).first().click()
  await expect(page).toHaveURL(way === 'Login' ? '/api/login' : /\/api\/login\?new/)
  const title = way === 'Login' ? 'Log in' : 'Create an account'
  await expect(page.getByRole('heading', { name: title })).toBeVisible()
}

test('Login and a plan keep the visitor’s code', async ({ page }) => {
  for (const way of ['Login', 'Choose Professional', 'Save and download this code']) {
    await page.goto('/')
    expect(await keptFields(page), way).toBeUndefined()
    await field(page).fill(LINK)
    await follow(page, way)
    expect(await keptFields(page), way).toMatchObject({ url: LINK, name: 'cafe-luna.example' })
    await page.evaluate(() => sessionStorage.clear())
  }

  await page.goto('/')
  await field(page).fill(LINK)
  await expect(bench(page).getByRole('img')).toHaveAttribute('src', /^data:image/)
  await follow(page, 'Save and download this code')
  await expect(page.getByText('Create your account to save and download this code.')).toBeVisible()
  await page.evaluate(() => sessionStorage.clear())

  await page.goto('/')
  await field(page).fill('the menu')
  await follow(page, 'Get Started')
  expect(await keptFields(page)).toMatchObject({ url: 'the menu', name: '' })
  await page.goBack()
  await field(page).fill('')
  await follow(page, 'Get Started')
  expect(await keptFields(page)).toBeUndefined()
})

test.describe('a part that cannot be loaded or fails', () => {
  test.use({ expected: /ERR_FAILED.*live-drawing|out of tiles|live-check-worker/ })

  test('is reported to the visitor, and the page around it stays', async ({ page }) => {
    const status = bench(page).getByRole('status')
    const engine = /live-drawing-.*js/

    await page.context().route(/live-check-worker-.*js/, (route) => route.abort())
    await page.route(engine, (route) => route.abort())
    await page.goto('/')
    await field(page).fill(LINK)
    await expect(status).toContainText('didn’t load')
    await expectToLeadTo(page, 'https://example.com/menu')

    await page.unroute(engine)
    await page.goto('/')
    await field(page).fill(LINK)
    await expectToLeadTo(page, LINK)
    await expect(status).toHaveText('')
    expect(await scanned(picture(page))).toBe(LINK)

    const body = 'export const drawLink = () => { throw new Error("out of tiles") }'
    await page.route(engine, (route) => route.fulfill({ contentType: 'text/javascript', body }))
    await page.goto('/')
    await field(page).fill(LINK)
    await expect(page.getByRole('alert')).toContainText('The preview didn’t load')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeVisible()
  })
})
