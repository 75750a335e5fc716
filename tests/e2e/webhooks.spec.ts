import { WebhookReceiver } from '../support/webhook-receiver.ts'
import { expect, test } from './fixtures.ts'

test('a webhook is added in the settings, gets a test, and its event is sent again', async ({
  page,
  member,
}) => {
  const receiver = await WebhookReceiver.start()
  await member({ tier: 'unlimited' })
  await page.goto('/profile?settings=webhooks')
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url)
  await page.getByRole('button', { name: 'Add webhook' }).click()
  const row = page.getByRole('listitem').filter({ hasText: receiver.url })
  await expect(row.getByText(/^whsec_/)).toBeVisible()
  receiver.secrets.push((await row.getByText(/^whsec_/).textContent()) ?? '')

  await row.getByRole('button', { name: 'Send a test' }).click()
  const [event] = await receiver.events(1)
  expect(event?.signedBy).toEqual(receiver.secrets)
  await row.getByRole('button', { name: 'Load again' }).click()
  await expect(row.getByText(/Delivered: answer 204/)).toBeVisible()
  await row.getByRole('button', { name: /^Details/ }).click()
  await expect(row.getByText('"webhook.test"')).toBeVisible()
  await row.getByRole('button', { name: /^Send again/ }).click()
  expect((await receiver.events(2)).map(({ id }) => id)).toEqual([event?.id, event?.id])

  await row.getByRole('button', { name: 'Change' }).click()
  const change = row.getByRole('form', { name: `Change ${receiver.url}` })
  await change.getByRole('checkbox', { name: 'A QR code is deleted' }).uncheck()
  await change.getByRole('textbox', { name: 'Address' }).fill('ftp://example.com')
  await change.getByRole('button', { name: 'Save changes' }).click()
  await expect(change.getByText('Enter an address that begins with https://')).toBeVisible()
  await change.getByRole('textbox', { name: 'Address' }).fill(`${receiver.url}/other`)
  await change.getByRole('button', { name: 'Save changes' }).click()
  await expect(row).toContainText(`${receiver.url}/other`)
  await expect(row).toContainText('code.created, code.updated')
  await receiver.stop()
})
