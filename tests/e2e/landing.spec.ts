import type { Page } from '@playwright/test'
import { decodePicture } from '../support/decode.ts'
import { expect, test } from './fixtures.ts'

const NARROW = { width: 390, height: 844 }

const prices = {
  Annual: { Free: '$0', Starter: '$3.99', Professional: '$6.99', Enterprise: '$11.99' },
  Monthly: { Free: '$0', Starter: '$4.99', Professional: '$8.49', Enterprise: '$13.99' },
}

const sectionOf = (page: Page, heading: string) =>
  page.getByRole('region', { name: heading, exact: true })
const pricing = (page: Page) => sectionOf(page, 'Pricing')
const plan = (page: Page, name: string) =>
  pricing(page)
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name, exact: true }) })

/** The card headings of a section, in order. */
const cardsOf = (page: Page, heading: string) =>
  sectionOf(page, heading).getByRole('heading', { level: 3 })

async function expectWholePage(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Create & Manage QR Codes Like a Pro',
  )
  const features = page.locator('#features')
  await expect(features.getByRole('heading', { level: 3 })).toHaveText([
    'Multiple QR Styles',
    'Real-time Analytics',
    'Export Options',
  ])
  await expect(features).toContainText('Classic or rounded modules, eight colour presets')
  await expect(features).toContainText('any two colours of your own')
  await expect(features).toContainText('Scans, locations, devices and times')
  await expect(features).toContainText('PNG, JPG or SVG')
  await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
    ...['Everything a printed code needs', 'Pricing'],
    ...['Powerful Dashboard', 'Detailed Analytics', 'Made to be printed'],
    ...['Your printed codes outlive your plan', 'Good to know before you print'],
  ])
  await expect(sectionOf(page, 'Powerful Dashboard').getByRole('img')).toBeVisible()
  await expect(cardsOf(page, 'Detailed Analytics')).toHaveText([
    'Scan Analytics',
    'Geographic Distribution',
    'Device Analytics',
    'Time Analysis',
  ])
  await expect(cardsOf(page, 'Pricing')).toHaveText([
    'Free',
    'Starter',
    'Professional',
    'Enterprise',
  ])
  await expect(pricing(page)).toContainText('20 percent')
  await expect(pricing(page)).toContainText('Save 20%')
  for (const [name, price] of Object.entries(prices.Annual)) {
    await expect(plan(page, name)).toContainText(`${price}/month`, { useInnerText: true })
  }
}

async function expectFooter(page: Page) {
  const columns = {
    Product: ['Features', 'Pricing', 'API Docs', 'Integrations'],
    Company: ['About', 'Blog', 'Careers', 'Contact'],
    Support: ['Help Center', 'Privacy Policy', 'Terms of Service', 'Status'],
  }
  for (const [title, links] of Object.entries(columns)) {
    const column = page.getByRole('contentinfo').getByRole('navigation', { name: title })
    await expect(column.getByRole('heading', { level: 2 })).toHaveText(title)
    await expect(column.getByRole('link')).toHaveText(links)
  }
}

test('a visitor reads the page, and everything on it does what it says', async ({ page }) => {
  await page.goto('/')
  await test.step('what the product promises', async () => {
    await expect(page).toHaveTitle('Tessera – Create & Manage QR Codes Like a Pro')
    await expectWholePage(page)
    await expectFooter(page)
  })
  await test.step('what each plan contains', () => expectPlans(page))
  await test.step('every link leads where it says', async () => {
    const links = await page.getByRole('link').evaluateAll((all) =>
      (all as HTMLAnchorElement[]).map((link) => {
        const { textContent, pathname, search, hash } = link
        return [textContent, pathname + search + hash]
      }),
    )
    expect(links).toEqual(everyLink)
  })
  await test.step('prices by the month and by the year', async () => {
    await expect(page.getByRole('radio', { name: 'Annual' })).toBeChecked()
    for (const billing of ['Monthly', 'Annual'] as const) {
      await page.getByRole('radio', { name: billing }).check()
      await expectPrices(page, billing)
    }
  })
  await test.step('the answers to the first questions, by the keyboard too', async () => {
    const questions = sectionOf(page, 'Good to know before you print')
    const answer = questions.getByText('stops working 14 days after you first save it')
    await expect(answer).toBeHidden()
    await questions.getByText('What ends, and when?').click()
    await expect(answer).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(answer).toBeHidden()
  })
  await test.step('every button', () => expectButtons(page))
  await test.step('the navigation scrolls to the section that it names', async () => {
    const navigation = page.getByRole('navigation', { name: 'Main' })
    for (const name of ['Features', 'Pricing', 'Dashboard']) {
      await navigation.getByRole('link', { name, exact: true }).click()
      await expectAtTop(page, name.toLowerCase())
    }
  })
  await test.step("a demo is the dashboard's picture", async () => {
    await page.getByRole('link', { name: 'Pricing', exact: true }).first().click()
    await expectAtTop(page, 'pricing')
    await page.getByRole('link', { name: 'View Demo' }).click()
    await expectAtTop(page, 'dashboard')
  })
  await test.step('a footer link of ours opens a page with the way back', async () => {
    await page.getByRole('contentinfo').getByRole('link', { name: 'Help Center' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Help Center')
    await page.getByRole('link', { name: 'Home' }).click()
    await expect(page).toHaveURL('/')
  })
})

/** Name and target of every link, in the page's order. An API test has the operator's own links. */
const signUp = (...names: string[]) => names.map((name) => [name, '/api/login?new'])
const plans = (names: Record<string, string>) =>
  Object.entries(names).map(([name, tier]) => {
    const returnTo = encodeURIComponent(`/subscription?tier=${tier}&billing=annual`)
    return [name, `/api/login?new&returnTo=${returnTo}`]
  })
const ours = (names: Record<string, string>) =>
  Object.entries(names).map(([name, page]) => [name, `/api/${page}`])
const everyLink = [
  ['Tessera', '/'],
  ['Dashboard', '/#dashboard'],
  ['Pricing', '/#pricing'],
  ['Features', '/#features'],
  ['Login', '/api/login'],
  ...signUp('Get Started', 'Start Free Trial'),
  ['View Demo', '/#dashboard'],
  ...signUp('Get Started', 'Start for Free'),
  ...plans({
    'Choose Starter': 'starter',
    'Choose Professional': 'professional',
    'Choose Enterprise': 'unlimited',
  }),
  ['Features', '/#features'],
  ['Pricing', '/#pricing'],
  ...ours({
    'API Docs': 'docs',
    Integrations: 'integrations',
    About: 'about',
    Blog: 'blog',
    Careers: 'careers',
    Contact: 'contact',
    'Help Center': 'help',
    'Privacy Policy': 'privacy',
    'Terms of Service': 'terms',
    Status: 'status',
  }),
]

async function expectButtons(page: Page) {
  // The menu's toggle is the phone's: below.
  await expect(page.getByRole('button')).toHaveCount(0)
  const names = await page
    .getByRole('radio')
    .evaluateAll((all) =>
      all.map((radio) => radio.getAttribute('title') ?? radio.parentElement?.textContent),
    )
  expect(names).toEqual([
    ...['Classic', 'Rounded'],
    ...['Classic', 'Ocean', 'Forest', 'Sunset', 'Purple', 'Gold', 'Dark', 'Rose'],
    ...['Monthly', 'Annual'],
  ])
  for (const radio of await page.getByRole('radio').all()) {
    await radio.check()
    await expect(radio).toBeChecked()
  }
}

async function expectPlans(page: Page) {
  const paid = ['No expiration', 'Advanced analytics', 'All export formats', 'Custom styles']
  const contents = {
    Free: ['3 QR codes', '14-day expiration', 'Basic analytics', 'PNG download'],
    Starter: ['3 QR codes', ...paid],
    Professional: ['10 QR codes', ...paid, 'Vanity URLs', 'Priority support'],
    Enterprise: ['Unlimited QR codes', ...paid, 'Vanity URLs', 'Priority support', 'API access'],
  }
  for (const [name, lines] of Object.entries(contents)) {
    await expect(plan(page, name).getByRole('listitem')).toHaveText(lines)
  }
  await expect(pricing(page).getByText('Popular', { exact: true })).toHaveCount(1)
  await expect(plan(page, 'Professional')).toContainText('Popular')
}

async function expectPrices(page: Page, billing: keyof typeof prices) {
  for (const [name, price] of Object.entries(prices[billing])) {
    await expect(plan(page, name)).toContainText(`${price}/month`, { useInnerText: true })
  }
  const charge = plan(page, 'Starter').getByText('billed $47.88 yearly')
  await expect(charge).toBeVisible({ visible: billing === 'Annual' })
}

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
    // Five links and the way out: what has the focus is never under the menu.
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

  test('the page is complete with an example to scan, has prices by the month, and leads to sections and to the sign-in', async ({
    page,
  }) => {
    await page.goto('/')
    await expectWholePage(page)
    await expectFooter(page)
    const bench = page.getByRole('region', { name: 'Try it with your own link' })
    await expect(bench.getByRole('textbox')).toHaveCount(0)
    const example = bench.getByRole('img', { name: /^QR code/ })
    expect(await decodePicture(await example.screenshot())).toBe('https://example.com/menu')
    await page.getByRole('radio', { name: 'Monthly' }).check()
    await expectPrices(page, 'Monthly')

    await page.setViewportSize(NARROW)
    const navigation = page.getByRole('navigation', { name: 'Main' })
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(navigation.getByRole('link')).toHaveText([
      ...['Dashboard', 'Pricing', 'Features'],
      ...['Login', 'Get Started'],
    ])
    await navigation.getByRole('link', { name: 'Pricing' }).click()
    await expect(page).toHaveURL('/#pricing')
    await page.getByRole('link', { name: 'Get Started' }).first().click()
    await expect(page).toHaveURL('/api/login?new')
  })
})

/** A section stands right below the bar, or as far up as the end of the page lets it. */
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
