import { readFile } from 'node:fs/promises'
import { decodePicture } from '../../support/decode.ts'
import { DnsServer } from '../../support/dns-server.ts'
import { downloaded } from '../files.ts'
import { test as base, expect } from '../fixtures.ts'
import { editing, goToCode } from '../screens.ts'

const test = base.extend<object, { dns: DnsServer }>({
  dns: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the needed fixtures from it
    async ({}, use) => {
      const dns = await DnsServer.start()
      dns.names.set('localhost', { A: ['127.0.0.1'] })
      await use(dns)
      await dns.stop()
    },
    { scope: 'worker' },
  ],
  environment: [async ({ dns }, use) => use({ DNS_SERVERS: dns.address }), { scope: 'worker' }],
})
test.describe.configure({ mode: 'default' })

for (const width of [390, 1440]) {
  test(`at ${width} px a domain takes a few clicks`, async ({ page, member, dns }) => {
    const host = `qr${width}.example.com`
    const account = await member({ tier: 'professional' })
    await account.code({ name: 'Menu' })
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/dashboard')
    const link = (name: string) => page.getByRole('link', { name, exact: true }).click()
    await link('Profile')
    await link('Account settings')
    await link('Domains')
    await page.getByRole('textbox', { name: 'Domain' }).fill(host)
    await page.getByRole('button', { name: 'Add domain' }).click()
    const records = page.getByRole('list', { name: 'DNS records' })
    await expect(records).toContainText(`_tessera.${host}`)
    await expect(records).toContainText('Nothing yet')

    const proof = /tessera-proof=[0-9a-f]{32}/.exec((await records.textContent()) ?? '')?.[0] ?? ''
    dns.names.set(`_tessera.${host}`, { TXT: [proof] })
    dns.names.set(host, { A: ['127.0.0.1'] })
    await page.getByRole('button', { name: 'Check now' }).click()
    await expect(page.getByText('Active. All your short links work on it.')).toBeVisible()

    const dialog = await goToCode(page, 'Menu')
    if (width === 390) await dialog.getByRole('button', { name: /^Custom URL/ }).click()
    await dialog.getByRole('combobox', { name: 'Domain' }).selectOption(host)
    await expect(dialog).toContainText(`${host}/qr/`)
    await dialog.getByRole('button', { name: 'Save QR Code' }).click()
    await expect(editing(page)).toBeHidden()
    const file = await downloaded(page, () =>
      page.getByRole('button', { name: 'Download Menu', exact: true }).click(),
    )
    expect(await decodePicture(await readFile(await file.path()))).toMatch(`http://${host}/qr/`)
  })
}
