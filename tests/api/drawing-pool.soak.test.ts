import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { QrCode } from '../../src/contract/codes/codes.ts'
import type { AppDeps } from '../../src/server/app.ts'
import { BEHIND_PROXY, someAddress } from '../support/crowd.ts'
import { leadsTo } from '../support/link.ts'
import { metricOf } from '../support/metric.ts'
import { newPerson, type Person } from '../support/person.ts'
import { printCode } from '../support/printed-code.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { type Tessera, tesseraForTest } from '../support/tessera.ts'
import { HANGS, UNRULY_THREAD } from '../support/unruly-looks.ts'

describe('a burst of pictures', () => {
  let tessera: Tessera
  let owner: Person
  let draft: QrCode

  /** A draft's pictures are drawn, and no check of it comes in between. */
  async function start(drawing: AppDeps['drawing'] = {}) {
    tessera = await tesseraForTest({
      environment: BEHIND_PROXY,
      drawing: { thread: UNRULY_THREAD, size: 3, ...drawing },
    })
    owner = await newPerson(tessera)
    draft = await owner.draft()
  }

  const picture = (colour: string, query = '') => {
    const look = `fg=${encodeURIComponent(colour)}${query}`
    return owner.call(`/api/qr-codes/${draft.id}/generate?${look}`)
  }

  const metric = (name: string) => metricOf(tessera, name)

  test('waits while all threads hang, is refused beyond the queue, and is drawn afterwards', async () => {
    await start({ limits: { drawings: { atOnceEach: 2, waiting: 1 } }, taskMs: 5_000 })
    const { key, url } = await printCode(tessera.database.db)
    const hanging = [picture(HANGS), picture(HANGS, '&size=512')]
    await expect.poll(() => metric('drawings_total')).toBe(2)
    const waiting = picture('#000001')
    await expect.poll(() => metric('drawings_waiting')).toBe(1)
    const refused = await picture('#000002')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('etag')).toBeNull()
    expect(refused.headers.get('cache-control')).toBe('no-store')
    expect(await refusal(refused)).toEqual({
      status: 503,
      code: 'busy',
      message: 'Tessera is very busy right now. Please try again in a moment.',
    })
    expect(await leadsTo(tessera, key)).toBe(url)
    for (const answer of await Promise.all(hanging)) {
      await expectRefusal(answer, 'unavailable')
    }
    expect((await waiting).status).toBe(200)
    expect((await picture('#000002')).status).toBe(200)
  })

  test('of one account keeps no other account waiting, and is dropped when it hangs up', async () => {
    await start({ stopMs: 100 })
    const ada = await newPerson(tessera)
    const { id } = await ada.draft()
    const flood = connect(Number(new URL(tessera.origin).port), '127.0.0.1')
    const head = `Host: tessera\r\nX-Forwarded-For: ${someAddress()}\r\nCookie: ${owner.cookie}`
    for (let size = 4096; size > 4096 - 190; size--) {
      const path = `/api/qr-codes/${draft.id}/generate?format=jpg&size=${size}&fg=${HANGS.slice(1)}`
      flood.write(`GET ${path} HTTP/1.1\r\n${head}\r\n\r\n`)
    }
    await expect.poll(() => metric('drawings_waiting')).toBeGreaterThan(0)
    expect(await metric('drawings_under_way')).toBe(1)
    expect((await ada.call(`/api/qr-codes/${id}/generate`)).status).toBe(200)
    expect(await metric('drawings_total')).toBe(2)
    flood.destroy()
    await expect.poll(() => metric('drawings_waiting')).toBe(0)
    expect((await ada.call(`/api/qr-codes/${id}/generate?size=300`)).status).toBe(200)
    expect(await metric('drawings_total')).toBe(3)
    expect(await metric('drawings_under_way')).toBe(1)
  })
})
