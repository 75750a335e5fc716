import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Spill } from '../../../src/server/analytics/capture/spill.ts'
import { pastLine } from '../../support/past-scans.ts'

const line = () => pastLine({ code_id: 'code', at: 1_700_000_000_000 })

describe('a spill file', () => {
  let dataDir: string
  let spill: Spill
  const path = (name: string) => join(dataDir, 'spill', name)
  const names = () => readdir(join(dataDir, 'spill'))

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'tessera-spill-'))
    spill = new Spill(dataDir, 1)
    await mkdir(join(dataDir, 'spill'))
  })
  afterEach(() => rm(dataDir, { recursive: true }))

  async function drained(): Promise<string[]> {
    const lines: string[] = []
    await spill.drain(async (some) => void lines.push(...some))
    return lines
  }

  test('goes to the replay whole and is then removed', async () => {
    const lines = [line(), line()]
    await spill.write(lines)
    expect(await drained()).toEqual(lines)
    expect(await names()).toEqual([])
  })

  test('stays if its replay fails', async () => {
    await spill.write([line()])
    await expect(spill.drain(() => Promise.reject(new Error('no database')))).rejects.toThrow()
    expect(await names()).toHaveLength(1)
    expect(await drained()).toHaveLength(1)
  })

  test('stays if it cannot be read', async () => {
    await mkdir(path('scans-1.jsonl'))
    await expect(drained()).rejects.toThrow('EISDIR')
    expect(await names()).toEqual(['scans-1.jsonl'])
  })

  test('may end in a torn line, which is set aside', async () => {
    const whole = line()
    const torn = line().slice(0, 40)
    await writeFile(path('scans-1.jsonl'), `${whole}\n${torn}`)
    expect(await drained()).toEqual([whole])
    expect(await names()).toEqual(['refused-scans.jsonl'])
    expect(await readFile(path('refused-scans.jsonl'), 'utf8')).toBe(`${torn}\n`)
  })

  test('may have lines that are no scans, and its scans are still replayed', async () => {
    const strange = [
      '[]',
      '[1,2]',
      'null',
      '{"a":1}',
      line().replace('1700000000000', '"soon"'),
      line().replace('"code"', '{}'),
    ]
    const whole = line()
    await writeFile(path('scans-1.jsonl'), [...strange, whole, ''].join('\n'))
    expect(await drained()).toEqual([whole])
    expect(await readFile(path('refused-scans.jsonl'), 'utf8')).toBe(`${strange.join('\n')}\n`)
  })

  test('is known by its name: other files stay', async () => {
    await writeFile(path('notes.txt'), line())
    await writeFile(path('scans.jsonl.bak'), line())
    expect(await drained()).toEqual([])
    expect((await names()).sort()).toEqual(['notes.txt', 'scans.jsonl.bak'])
  })

  test('stays while its writer may be at work, and is replayed when it is old', async () => {
    const whole = line()
    const name = 'scans-9-x-1.jsonl.part'
    await writeFile(path(name), `${whole}\n["torn`)
    expect(await drained()).toEqual([])
    const longAgo = new Date(Date.now() - 10 * 60_000)
    await utimes(path(name), longAgo, longAgo)
    expect(await drained()).toEqual([whole])
    expect(await names()).toEqual(['refused-scans.jsonl'])
  })

  test('is replayed when it is from the future, where the clock was when its writer ended', async () => {
    const whole = line()
    await writeFile(path('scans-9-x-1.jsonl.part'), `${whole}\n`)
    const ahead = new Date(Date.now() + 400 * 24 * 60 * 60 * 1000)
    await utimes(path('scans-9-x-1.jsonl.part'), ahead, ahead)
    expect(await drained()).toEqual([whole])
  })

  test('is readable only by its owner', async () => {
    await spill.write([line()])
    const [name = ''] = await names()
    expect((await stat(path(name))).mode & 0o077).toBe(0)
  })
})

test('without a folder there is nothing to replay', async () => {
  const spill = new Spill(join(tmpdir(), 'tessera-no-such-folder'), 1)
  expect(await spill.drain(async () => {})).toBe(0)
})
