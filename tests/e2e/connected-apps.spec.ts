import { Agent } from '../support/agent.ts'
import { ConnectingApp } from '../support/connecting-app.ts'
import { PASSWORD } from '../support/enrolment.ts'
import { expect, test } from './fixtures.ts'
import { expectToast } from './screens.ts'

test('an agent is connected by a click', async ({ page, member, server, destination }) => {
  const { email } = await member({ tier: 'unlimited' })
  const app = new ConnectingApp(server, 'Robot', `${destination.origin}/callback`)
  await expect(Agent.by(app, server)).rejects.toThrow('Unauthorized')

  await test.step('the user logs in first, and comes back', async () => {
    await page.context().clearCookies()
    await page.goto(app.page.href)
    await page.getByRole('textbox', { name: 'Email' }).waitFor()
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await expect(page.getByText('Robot wants to work with the QR codes')).toBeVisible()
  })
  await expect(page.getByRole('main')).toContainText(email)
  await expect(page.getByRole('main')).toContainText(new URL(destination.origin).host)
  await page.getByRole('radio', { name: 'Read and write' }).check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByRole('heading', { name: '/callback' })).toBeVisible()
  await app.ask(new URL(page.url()).searchParams.get('code') ?? '')

  const agent = await Agent.by(app, server)
  const { id } = await agent.ask<{ id: string }>('make_code', {
    name: 'Menu',
    url: 'https://example.com/',
  })
  for (const { name, inputSchema } of (await agent.client.listTools()).tools) {
    const said = await agent.refusal(name, 'id' in (inputSchema.properties ?? {}) ? { id } : {})
    expect(`${name}: ${said}`).not.toMatch(/key_|unauthorized|internal/)
  }

  await page.goto('/profile?settings=keys')
  const row = page.getByRole('listitem').filter({ hasText: 'Robot' })
  await expect(row).toContainText('Read and write')
  await expect(row).toContainText('Last used')
  await row.getByRole('button', { name: 'Disconnect Robot' }).click()
  await expectToast(page, 'Success', 'App disconnected')
  await expect(page.getByText('You have no connected apps yet.')).toBeVisible()
  await expect(agent.tools()).rejects.toThrow('Unauthorized')
})
