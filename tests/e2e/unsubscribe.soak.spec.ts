import AxeBuilder from '@axe-core/playwright'
import { unsubscribeUrl } from '../../src/server/accounts/notices/unsubscribe.ts'
import { sessionSecret } from '../../src/server/accounts/sessions/session-secret.ts'
import { expect, test } from './fixtures.ts'

test('a link in a notice can end these mails', async ({ page, context, server, member }) => {
  const { id } = await member()
  const secret = sessionSecret({ dataDir: server.dataDir })
  const wish = { userId: id, kind: 'code-ends' } as const
  // A reader of mail need not be signed in.
  await context.clearCookies()
  await page.goto(unsubscribeUrl({ publicUrl: server.origin, secret }, wish))
  await expect(page.getByRole('heading', { name: 'Stop these emails?' })).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  await page.getByRole('button', { name: 'Stop these emails' }).click()
  await expect(page.getByRole('heading', { name: 'You’re unsubscribed' })).toBeVisible()
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})
