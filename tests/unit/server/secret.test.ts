import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessionSecret } from '../../../src/server/accounts/sessions/session-secret.ts'
import { newFolder } from '../../support/folder.ts'
import { times } from '../../support/soak.ts'

const MODULE = fileURLToPath(
  new URL('../../../src/server/accounts/sessions/session-secret.ts', import.meta.url),
)

describe('the session secret', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await newFolder()
  })

  test('is the configured one, and then nothing is written', () => {
    expect(sessionSecret({ sessionSecret: 'configured', dataDir })).toBe('configured')
    expect(readdirSync(dataDir)).toEqual([])
  })

  test('is made once, long, and readable by its owner alone', () => {
    const nested = join(dataDir, 'not', 'there')
    const made = sessionSecret({ dataDir: nested })
    expect(made).toMatch(/^[\w-]{43}$/)
    expect(sessionSecret({ dataDir: nested })).toBe(made)
    expect(readdirSync(nested)).toEqual(['session-secret'])
    expect(statSync(join(nested, 'session-secret')).mode & 0o777).toBe(0o600)
    expect(sessionSecret({ dataDir })).not.toBe(made)
  })

  test('may end with the line end of an editor', () => {
    writeFileSync(join(dataDir, 'session-secret'), `${'s'.repeat(43)}\n`)
    expect(sessionSecret({ dataDir })).toBe('s'.repeat(43))
  })

  test('is never an empty one', () => {
    const file = join(dataDir, 'session-secret')
    for (const damaged of ['', '\n', 'short']) {
      writeFileSync(file, damaged)
      expect(() => sessionSecret({ dataDir })).toThrow(`${file} is damaged`)
      expect(readFileSync(file, 'utf8')).toBe(damaged)
    }
  })

  test('is the same for processes that start at once', async () => {
    const script = `import { sessionSecret } from ${JSON.stringify(MODULE)}
      process.stdout.write(sessionSecret({ dataDir: process.argv[1] }))`
    const run = promisify(execFile)
    for (let round = 0; round < times(2, 30); round++) {
      const place = join(dataDir, String(round))
      const starts = Array.from({ length: 6 }, () =>
        run(process.execPath, ['--input-type=module', '-e', script, place]),
      )
      const secrets = (await Promise.all(starts)).map(({ stdout }) => stdout)
      expect(new Set(secrets).size).toBe(1)
      expect(secrets[0]).toMatch(/^[\w-]{43}$/)
      expect(readdirSync(place)).toEqual(['session-secret'])
    }
  })
})
