import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newFolder } from '../support/folder.ts'
import { GOOD_PASSWORD, MailServer } from '../support/mail-server.ts'
import { runScript, runScriptHere } from '../support/script.ts'

describe('npm run mail:test', () => {
  let dataDir: string
  let server: MailServer
  beforeEach(async () => {
    dataDir = await newFolder()
    server = await MailServer.start()
  })
  afterEach(async () => {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const script = (environment: Record<string, string>, ...to: string[]) =>
    runScriptHere('mail-test', { dataDir, environment }, ...to)

  test('sends one mail by the server’s settings', async () => {
    const place = { dataDir, environment: server.environment }
    const { stdout } = await runScript('mail-test', place, 'you@example.com')
    expect(stdout).toBe(
      `127.0.0.1:${server.port} took a mail from Tessera <qr@tessera.example> to you@example.com.\n`,
    )
    expect(server.subjectsTo('you@example.com')).toEqual(['Mails from Tessera arrive'])
  })

  test('says what the mail server says, without its password', async () => {
    server.toRecipient = { code: 550, text: 'This address does not exist' }
    const SMTP_URL = `smtp://user:${GOOD_PASSWORD}@127.0.0.1:${server.port}`
    const failed = script({ ...server.environment, SMTP_URL }, 'you@example.com')
    await expect(failed).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The mail was not sent: .*This address does not exist.*\n$/),
    })
    await expect(failed).rejects.not.toMatchObject({
      stderr: expect.stringContaining(GOOD_PASSWORD),
    })
  })

  test('says where the file is without a mail server, and asks to whom', async () => {
    const { stdout } = await script({}, 'you@example.com')
    expect(stdout).toBe(`SMTP_URL is not set, so the mail is a file in ${dataDir}/outbox.\n`)
    expect(await readdir(join(dataDir, 'outbox'))).toHaveLength(1)
    await expect(script({}, 'not an address')).rejects.toMatchObject({
      stderr: 'Say to whom: npm run mail:test -- you@example.com\n',
    })
  })
})
