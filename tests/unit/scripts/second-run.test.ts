import { expect, test } from 'vitest'
import type { Outcome } from '../../../scripts/test/outcomes.ts'
import { filesToRepeat, settle } from '../../../scripts/test/second-run.ts'

const outcome = (test: string, status: Outcome['status'], suite = 'api'): Outcome => ({
  suite,
  test,
  status,
})
const good = outcome('tests/api/codes.test.ts › a code is made', 'passed')
const mail = outcome('tests/api/mail.test.ts › a mail is sent', 'failed')
const mailPassed = outcome('tests/api/mail.test.ts › a mail is sent', 'passed')
const bin = outcome('tests/e2e/bin.spec.ts:12 › a code comes back', 'failed', 'browser')
const outside = outcome('outside of all tests', 'failed')

test('each file that failed runs once more, a browser test too', () => {
  expect(filesToRepeat([good, mail, mail, bin, outside])).toEqual([
    'tests/api/mail.test.ts',
    'tests/e2e/bin.spec.ts',
  ])
})

test('no file runs again if many failed', () => {
  const many = Array.from({ length: 6 }, (_, at) => outcome(`tests/api/a${at}.test.ts`, 'failed'))
  expect(filesToRepeat(many)).toEqual([])
})

test('a file that passes alone is flaky and counts as passed', () => {
  const again = new Map([['tests/api/mail.test.ts', [mailPassed]]])
  expect(settle([good, mail], again)).toEqual({ outcomes: [good, mailPassed], flaky: [mail] })
})

test.each([
  ['fails again', [mail]],
  ['runs no test', []],
  ['is left out', [outcome('tests/api/mail.test.ts › a mail is sent', 'skipped')]],
])('a file that %s has failed', (_how, second) => {
  const again = new Map([['tests/api/mail.test.ts', second]])
  expect(settle([good, mail], again)).toEqual({ outcomes: [good, mail], flaky: [] })
})

test('what goes wrong outside of files stays a failure', () => {
  const again = new Map([['tests/api/mail.test.ts', [mailPassed]]])
  expect(settle([mail, outside], again).outcomes).toContain(outside)
})
