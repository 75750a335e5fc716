import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MINUTE_MS } from '../../../src/contract/time.ts'
import { addressWatch } from '../../../src/server/analytics/record/address-watch.ts'
import { readConfig } from '../../../src/server/config.ts'
import { checkDisk, checkSettings } from '../../../src/server/doctor/checks.ts'
import { compareClocks, examine } from '../../../src/server/doctor/finding.ts'
import lines from '../../../src/server/doctor/lines.json' with { type: 'json' }
import { judgeArrival } from '../../../src/server/doctor/public-address.ts'

const SECURE = 'https://qr.example.com'
const MAIL = { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'qr@example.com' }

test.each([
  ['The settings fit together', { PUBLIC_URL: SECURE }],
  ['only this machine can open the codes', {}],
  ['PUBLIC_URL is http', { PUBLIC_URL: 'http://qr.example.com' }],
  ['SESSION_SECRET can be guessed', { SESSION_SECRET: 'secret'.repeat(6) }],
  ['only files in DATA_DIR/outbox', { SMTP_URL: '' }],
  ['takes test payments', { PUBLIC_URL: SECURE, BILLING: 'sandbox' }],
  ['backups leave the secret out', { BACKUP_DIR: '/backups' }],
  ['without the data that it had', { EMPTY_OK: '1' }],
])('a setting is found: %s', (words, environment) => {
  const found = checkSettings(readConfig({ ...MAIL, ...environment })).map(({ found }) => found)
  expect(found.join('\n')).toContain(words)
})

const MB = 1024 ** 2
const LIMITS = { dataDir: '/data', journalMax: 2048 * MB }

test.each([
  ['ok', 4096, 1],
  ['warning', 1500, 1],
  ['problem', 99, 1],
  ['warning', 4096, 21],
])('a disk is a finding: %s with %d MB and %d ms', async (level, mb, flushMs) => {
  const probe = async () => ({ freeBytes: mb * MB, flushMs })
  expect(await checkDisk(LIMITS, probe)).toMatchObject([{ level }])
})

test('a check that fails or hangs is a finding, and the next one follows', async () => {
  const full = () => checkDisk(LIMITS, () => Promise.reject(new Error('ENOSPC')))
  const hanging = () => new Promise<never>(() => {})
  const findings = await examine([
    { name: 'disk', look: full },
    { name: 'mail', look: hanging, limitMs: 1 },
    { name: 'places', look: () => [compareClocks(59 * MINUTE_MS, 'the database')] },
  ])
  expect(findings.map(({ level, found }) => `${level}: ${found}`)).toEqual([
    'problem: DATA_DIR cannot be written: ENOSPC.',
    expect.stringMatching(/^problem: The mail server .*: no answer in 0.001 seconds\.$/),
    'warning: The clock is 59 minutes behind that of the database.',
  ])
})

const PROXY = '10.0.0.1'
const ASKER = '85.214.132.117'

test.each([
  ['no proxy', '', '', ASKER, 'http://qr.example.com', 'ok'],
  ['a silent proxy', '', '', PROXY, SECURE, 'warning'],
  ['an unknown proxy', '', ASKER, PROXY, SECURE, 'Set TRUST_PROXY=1.'],
  ['a known proxy', '1', ASKER, ASKER, SECURE, 'ok'],
  ['one of two proxies', '1', `${ASKER}, 10.0.0.2`, '10.0.0.2', SECURE, 'Set TRUST_PROXY=2.'],
  ['more than there are', '2', ASKER, ASKER, SECURE, 'Set TRUST_PROXY=1.'],
  ['its network', '10.0.0.0/8', `${ASKER}:4711`, ASKER, SECURE, 'ok'],
])('TRUST_PROXY fits or not: %s', (_case, TRUST_PROXY, forwardedFor, address, url, expected) => {
  const { trustProxy } = readConfig({ TRUST_PROXY })
  const arrival = { peer: PROXY, forwardedFor, address }
  const { level, todo } = judgeArrival(arrival, { publicUrl: url, trustProxy })
  expect([level, todo]).toContain(expected)
})

const HOURS = 26

test.each([
  ['one address', () => '85.214.1.1', [/one address/, /one address/]],
  ['private addresses', (scan: number) => `10.0.0.${scan % 6}`, [/private/, /private/]],
  ['many addresses', (scan: number) => `85.214.${scan % 250}.1`, []],
])('scans of %s are noticed once a day', (_case, addressOf, expected) => {
  const warned: string[] = []
  const note = addressWatch((message) => warned.push(message))
  const began = Date.now()
  for (let scan = 0; scan <= HOURS * 240; scan++) {
    note(addressOf(scan), began + scan * (MINUTE_MS / 4))
  }
  expect(warned).toEqual(expected.map((words) => expect.stringMatching(words)))
})

test('docs/operations.md has each line of the doctor', () => {
  const docs = readFileSync('docs/operations.md', 'utf8')
  for (const [name, keys] of Object.entries(lines)) {
    for (const { level, ...texts } of Object.values(keys)) {
      const row = `| ${[name, level, ...Object.values(texts)].join(' | ')} |`
      if (level !== 'ok') expect(docs).toContain(row.replace(/\{\w+\}/g, '…'))
    }
  }
})
