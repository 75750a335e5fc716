import type { Page } from '@playwright/test'
import { decodePicture } from '../support/decode.ts'
import { expect, test } from './fixtures.ts'

const NARROW = { width: 390, height: 844 }

/** The unit tests have the other plans’ prices. */
const prices = {
  Annual: { Free: '$0', Enterprise: '$11.99' },
  Monthly: { Free: '$0', Enterprise: '$13.99' },
}

const sectionOf = (page: Page, heading: string) =>
  page.getByRole('region', { name: heading, exact: true })
const plan = (page: Page, name: string) =>
  sectionOf(page, 'Pricing')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })

async function expectWholePage(page: Page) {
  await expect(page).toHaveTitle('Tessera – Create & Manage QR Codes Like a Pro')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Create & Manage QR Codes Like a Pro',
  )
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    'Everything a printed code needs',
    'Pricing',
    'Powerful Dashboard',
    'Detailed Analytics',
    'Made for print',
    'Your printed codes outlive your plan',
    'Good to know before you print',
    'Make your first code',
  ])
  await expect(sectionOf(page, 'Powerful Dashboard').getByRole('img')).toBeVisible()
  await expect(sectionOf(page, 'Pricing')).toContainText('Save 20%')
  const specified = plan(page, 'Free').getByRole('list').first()
  await expect(specified.getByRole('listitem')).toHaveText([
    '3 QR codes',
    '14-day expiration',
    'Basic analytics',
    'PNG download',
  ])
  await expect(plan(page, 'Professional')).toContainText(/Popular.*10 QR codes.*Vanity URLs/s)
}

async function expectPrices(page: Page, billing: keyof typeof prices) {
  for (const [name, price] of Object.entries(prices[billing])) {
    await expect(plan(page, name)).toContainText(`${price}/month`, { useInnerText: true })
  }
  const charge = plan(page, 'Enterprise').getByText('billed $143.88 yearly')
  await expect(charge).toBeVisible({ visible: billing === 'Annual' })
}

/** The address at which a plan is chosen by a visitor. */
const signUpFor = (tier: string) =>
  `/api/login?new&returnTo=${encodeURIComponent(`/subscription?tier=${tier}&billing=annual`)}`

/** Name and target of the links above the footer, in the page's order. An API test has those of the footer. */
const links = [
  ['Tessera', '/'],
  ['Dashboard', '/#dashboard'],
  ['Pricing', '/#pricing'],
  ['Features', '/#features'],
  ['Login', '/api/login'],
  ['Get Started', '/api/login?new'],
  ['Start Free Trial', '/api/login?new'],
  ['View Demo', '/#dashboard'],
  ['Get Started', '/api/login?new'],
  ['Start for Free', '/api/login?new'],
  ['Choose Starter', signUpFor('starter')],
  ['Choose Professional', signUpFor('professional')],
  ['Choose Enterprise', signUpFor('unlimited')],
  ['Create your first code', '/api/login?new'],
]

test('the links, prices and questions of the landing page', async ({ page }) => {
  await page.goto('/')
  const found = await page
    .getByRole('link')
    .evaluateAll((all) =>
      (all as HTMLAnchorElement[])
        .filter((link) => !link.closest('footer'))
        .map(({ textContent, pathname, search, hash }) => [textContent, pathname + search + hash]),
    )
  expect(found).toEqual(links)
  for (const billing of ['Monthly', 'Annual'] as const) {
    await page.getByRole('radio', { name: billing }).check()
    await expectPrices(page, billing)
  }
  await test.step('the answers open by pointer and by keyboard', async () => {
    const questions = sectionOf(page, 'Good to know before you print')
    const answer = questions.getByText('stop working 14 days after you first save them')
    await expect(answer).toBeHidden()
    await questions.getByText('Do codes expire?').click()
    await expect(answer).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(answer).toBeHidden()
  })
  await test.step('links of the page scroll to their section', async () => {
    for (const [name, section] of [
      ['Features', 'features'],
      ['Pricing', 'pricing'],
      ['View Demo', 'dashboard'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).first().click()
      await expectAtTop(page, section)
    }
  })
  await test.step('a page of the footer leads back', async () => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Help Center')
    await page.getByRole('link', { name: 'Home' }).click()
    await expect(page).toHaveURL('/')
  })
})

test('the menu of a phone opens, leads to a section, and closes', async ({ page }) => {
  await page.setViewportSize(NARROW)
  await page.goto('/')
  const opener = page.getByRole('button', { name: 'Open menu' })
  const closer = page.getByRole('button', { name: 'Close menu' })
  const login = page.getByRole('link', { name: 'Login' })
  await test.step('by its button and by Esc, which gives the focus back', async () => {
    await opener.click()
    await expect(login).toBeVisible()
    await closer.click()
    await expect(login).toBeHidden()
    await opener.click()
    await page.keyboard.press('Escape')
    await expect(login).toBeHidden()
    await expect(opener).toBeFocused()
  })
  await test.step('once the focus leaves it, or a tap is beside it', async () => {
    await page.keyboard.press('Enter')
    await expect(login).toBeVisible()
    // Five links and the way out: the focused control is never under the menu.
    for (let link = 0; link < 5; link++) await page.keyboard.press('Tab')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Get Started' })).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Start Free Trial' })).toBeFocused()
    await expect(login).toBeHidden()
    await opener.click()
    await expect(login).toBeVisible()
    await page.mouse.click(200, 800)
    await expect(login).toBeHidden()
  })
  await test.step('on the way to a section', async () => {
    const link = page.locator('#menu').getByRole('link', { name: 'Pricing', includeHidden: true })
    await expect(link).toBeHidden()
    await opener.click()
    await expect(closer).toHaveAttribute('aria-expanded', 'true')
    await link.click()
    await expect(link).toBeHidden()
    await expectAtTop(page, 'pricing')
  })
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the page is complete, with an example, prices and links', async ({ page }) => {
    await page.goto('/')
    await expectWholePage(page)
    const bench = page.getByRole('region', { name: 'Try it with your own link' })
    await expect(bench.getByRole('textbox')).toHaveCount(0)
    const example = bench.getByRole('img', { name: /^QR code/ })
    expect(await decodePicture(await example.screenshot())).toBe('https://example.com/menu')
    for (const billing of ['Monthly', 'Annual'] as const) {
      await page.getByRole('radio', { name: billing }).check()
      await expectPrices(page, billing)
    }

    await page.setViewportSize(NARROW)
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(navigation.getByRole('link')).toHaveCount(5)
    await navigation.getByRole('link', { name: 'Pricing' }).click()
    await expect(page).toHaveURL('/#pricing')
    await page.getByRole('link', { name: 'Get Started' }).first().click()
    await expect(page).toHaveURL('/api/login?new')
  })
})

/** Expects a section right below the bar, or as far up as the end of the page lets it. */
async function expectAtTop(page: Page, id: string) {
  await expect(page).toHaveURL(`/#${id}`)
  const distance = () =>
    page.locator(`#${id}`).evaluate((section) => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      const atEnd = scrollTop + clientHeight >= scrollHeight - 1
      const bar = document.querySelector('header')?.getBoundingClientRect().bottom ?? 0
      return atEnd ? 0 : Math.round(section.getBoundingClientRect().top - bar)
    })
  await expect.poll(async () => Math.abs(await distance())).toBeLessThanOrEqual(1)
}
