import { expect, test } from 'vitest'
import { newPerson } from '../support/person.ts'
import { tesseraForTest } from '../support/tessera.ts'

test('each answer of the site has an id of its own, as its records in the log have; a client’s own is not used', async () => {
  const records: { reqId?: string; url?: string; msg: string }[] = []
  const logTo = { write: (line: string) => void records.push(JSON.parse(line)) }
  const tessera = await tesseraForTest({ logTo })
  const owner = await newPerson(tessera)
  const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
  const ids = new Set<string | null>()
  const paths = ['/', '/nothing', '/healthz', '/api/qr-codes', '/api/qr-codes/none', '/%zz']
  for (const path of paths) {
    const answer = await owner.call(path, { headers })
    await answer.arrayBuffer()
    const id = answer.headers.get('x-request-id')
    ids.add(id)
    await expect.poll(() => records.filter(({ reqId }) => reqId === id).length).toBeGreaterThan(0)
    expect(records.filter(({ reqId }) => reqId === id)).toMatchObject([{ msg: 'request' }])
  }
  expect(ids.size).toBe(paths.length)
  expect(ids).not.toContain('mine')
  const { shortCode } = await owner.code()
  const scan = await fetch(`${tessera.origin}/qr/${shortCode}`, { redirect: 'manual' })
  expect(scan.headers.has('x-request-id')).toBe(false)
})
