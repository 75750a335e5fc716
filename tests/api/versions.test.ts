import { describe, expect, test } from 'vitest'
import type { CodeChange, QrCode } from '../../src/contract/codes/codes.ts'
import { allCounted } from '../support/all-counted.ts'
import { engines } from '../support/engines.ts'
import { enrolPerson, newPerson, subscribe } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { tally } from '../support/tally.ts'
import { runTessera } from '../support/tessera.ts'

describe.each(engines)('the versions of a code on %s', (engine) => {
  const tessera = runTessera({ engine })
  const owner = enrolPerson(tessera, 'unlimited')

  const get = (id: string) => owner.ask<QrCode>(`/api/qr-codes/${id}`)
  const patch = (id: string, body: CodeChange, condition?: string) =>
    owner.patch(id, body, condition === undefined ? {} : { 'if-match': condition })

  test('each change that a person makes has the next one, and is answered with its tag', async () => {
    const code = await owner.code()
    const changes: CodeChange[] = [
      { name: 'Lunch' },
      { url: 'https://example.com/lunch' },
      { vanityUrl: `lunch-${engine}` },
      { style: 'rounded', foregroundColor: '#1e40af' },
      { ecc: 'H' },
      { isActive: false },
      { isActive: true },
    ]
    let { version } = code
    for (const change of changes) {
      const response = await patch(code.id, change)
      expect(response.headers.get('etag')).toBe(`"${++version}"`)
      expect(await response.json()).toMatchObject({ ...change, version })
    }
    const response = await owner.call(`/api/qr-codes/${code.id}`)
    expect(response.headers.get('etag')).toBe(`"${version}"`)
  })

  test('a save without a change, a scan, a plan and the bin keep the version', async () => {
    const free = await newPerson(tessera)
    const code = await free.code()
    await fetch(`${tessera.origin}/qr/${code.shortCode}`, { redirect: 'manual' })
    await allCounted(tessera)
    await free.change(code.id, { name: code.name, isActive: true })
    // The plan takes the code's end away.
    await subscribe(free, 'starter')
    await free.remove(code.id)
    await free.make(`/api/qr-codes/${code.id}/restore`)
    const now = await free.ask<QrCode>(`/api/qr-codes/${code.id}`)
    expect(now).toMatchObject({ version: code.version, expiresAt: null })
  })

  test('a code that was changed since it was read is not deleted', async () => {
    const code = await owner.code()
    const newer = await owner.change(code.id, { name: 'Lunch' })
    const path = `/api/qr-codes/${code.id}`
    const deleted = ({ version }: QrCode) =>
      owner.call(path, { method: 'DELETE', headers: { 'if-match': `"${version}"` } })
    await expectRefusal(deleted(code), 'changed_elsewhere')
    expect(await get(code.id)).toEqual(newer)
    expect((await deleted(newer)).status).toBe(204)
  })

  test('a PUT by an own id keeps to its conditions, for which a code in the bin is not there', async () => {
    const put = (body: object, headers: Record<string, string>) =>
      owner.call('/api/qr-codes/external/table-9', { method: 'PUT', body, headers })
    const wanted = { name: 'Table 9', url: 'https://example.com/9' }
    await expectRefusal(put(wanted, { 'if-match': '*' }), 'changed_elsewhere')
    const make = () => put(wanted, { 'if-none-match': '*' })
    expect(await tally([make(), make()])).toEqual({ 201: 1, 412: 1 })
    const [code] = await owner.ask<QrCode[]>('/api/qr-codes?externalId=table-9')
    const { id = '' } = code ?? {}
    await owner.change(id, { name: 'Lunch' })
    await expectRefusal(put(wanted, { 'if-match': '"1"' }), 'changed_elsewhere')
    await expectRefusal(put(wanted, { 'if-none-match': '"2"' }), 'changed_elsewhere')
    expect(await get(id)).toMatchObject({ name: 'Lunch', version: 2 })
    expect((await put(wanted, { 'if-match': '"2"' })).headers.get('etag')).toBe('"3"')
    await owner.remove(id)
    await expectRefusal(put(wanted, { 'if-match': '"3"' }), 'changed_elsewhere')
    expect((await make()).status).toBe(200)
  })

  test('of two changes of the same version at once one is made', async () => {
    const code = await owner.code()
    const changes = ['One', 'Two', 'Three'].map((name) =>
      patch(code.id, { name }, `"${code.version}"`),
    )
    expect(await tally(changes)).toEqual({ 200: 1, 412: 2 })
    expect((await get(code.id)).version).toBe(code.version + 1)
  })

  test('a malformed condition is refused by its name', async () => {
    const code = await owner.code()
    expect(await refusal(await patch(code.id, { name: 'One' }, '3'))).toMatchObject({
      status: 422,
      code: 'invalid_input',
      fields: { 'if-match': 'If-Match must be * or a list of tags such as "3"' },
    })
    expect(await get(code.id)).toEqual(code)
  })
})
