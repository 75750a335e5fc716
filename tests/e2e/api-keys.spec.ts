import { expect, test } from './fixtures.ts'
import { expectToast } from './screens.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

test('a key is made, turned on and revoked', async ({ page, member, request, database }) => {
  const { workspaceId } = await member({ tier: 'unlimited' })
  await page.goto('/profile?settings=keys')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByText('Give the key a name')).toBeVisible()
  await page.getByRole('textbox', { name: 'Name' }).fill('Label printer')
  await page.getByRole('radio', { name: 'Read and write' }).check()
  await page.getByRole('radiogroup', { name: 'Expires' }).getByText('1 year').click()
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Your new API key' })
  const key = (await dialog.locator('code').textContent()) ?? ''
  const answer = () => request.get('/api/qr-codes', { headers: { authorization: `Bearer ${key}` } })
  expect((await answer()).status()).toBe(200)
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()

  const agents = page.getByRole('region', { name: 'Connect an AI agent' })
  await agents.getByRole('button', { name: 'Copy address' }).click()
  await expectToast(page, 'Success', 'Copied to clipboard')
  await expect(agents.getByText(/"url": ".+\/api\/mcp"/)).toBeVisible()

  const row = page.getByRole('listitem').filter({ hasText: 'Label printer' })
  await expect(row).toContainText(`${key.slice(0, 8)}…`)
  await expect(row).toContainText('Read and write')
  await expect(page.getByText(key)).toHaveCount(0)
  await test.step('a restore pauses it until the user turns it on', async () => {
    const own = database.db.updateTable('api_keys').where('workspace_id', '=', workspaceId)
    await own.set({ paused_at: Date.now() }).execute()
    expect((await answer()).status()).toBe(403)
    await page.reload()
    await expect(row).toContainText('Paused')
    await row.getByRole('button', { name: 'Turn on again: Label printer' }).click()
    await expectToast(page, 'Success', 'Key turned on again')
    await expect(row).not.toContainText('Paused')
    expect((await answer()).status()).toBe(200)
  })

  await row.getByRole('button', { name: 'Revoke Label printer' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await expectToast(page, 'Success', 'Key revoked')
  await expect(page.getByText('You have no keys yet.')).toBeVisible()
  expect((await answer()).status()).toBe(401)
})
