import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type CheckedPrint,
  PROOFS_MAX,
  type PrintProof,
} from '../../src/contract/pictures/scan-checks.ts'
import { codesToExport } from '../../src/server/codes/export-codes.ts'
import { engines } from '../support/engines.ts'
import { enrolForEach, newPerson, type Person } from '../support/person.ts'
import { expectRefusal } from '../support/refusal.ts'
import { runTessera } from '../support/tessera.ts'

const send = (person: Person, { id }: { id: string }, body: object) =>
  person.call(`/api/qr-codes/${id}/print-proofs`, { method: 'POST', body })
const check = (person: Person, { id }: { id: string }, body: object) =>
  person.make<CheckedPrint>(`/api/qr-codes/${id}/print-proofs`, body)
const list = (person: Person, { id }: { id: string }) =>
  person.ask<PrintProof[]>(`/api/qr-codes/${id}/print-proofs`)
const link = (path: string) => ({ found: 'link', path })

describe.each(engines)('checks of a code’s prints on %s', (engine) => {
  const tessera = runTessera({ engine })
  const owner = enrolForEach(tessera)

  it('say that a print reads, in any case of its link, and are kept with their date', async () => {
    const code = await owner.code({ name: 'Menu', url: 'https://example.com/menu' })
    expect(await list(owner, code)).toEqual([])
    const checked = await check(owner, code, link(code.shortCode.toUpperCase()))
    expect(checked).toEqual({
      proof: { verdict: 'reads', checkedAt: expect.stringMatching(/^2\d{3}-.*Z$/) },
      shown: { id: code.id, name: 'Menu', url: code.url, isInBin: false },
    })
    tessera.clock.advance(60_000)
    await check(owner, code, { found: 'nothing', trouble: 'glare' })
    expect((await list(owner, code)).map(({ verdict }) => verdict)).toEqual(['glare', 'reads'])
  })

  it('know the code by a custom URL that it had when it was printed', async () => {
    const owner = await newPerson(tessera, 'professional')
    const path = `menu-${randomUUID().slice(0, 8)}`
    const code = await owner.code({ vanityUrl: path })
    await owner.change(code.id, { vanityUrl: null })
    expect((await check(owner, code, link(path))).proof.verdict).toBe('reads')
  })

  it('name another code of the account, also one in the bin', async () => {
    const owner = await newPerson(tessera, 'starter')
    const [menu, poster] = [await owner.code(), await owner.code({ name: 'Poster' })]
    const first = await check(owner, menu, link(poster.shortCode))
    expect(first.proof.verdict).toBe('other-code')
    expect(first.shown).toMatchObject({ id: poster.id, name: 'Poster', isInBin: false })
    await owner.remove(poster.id)
    expect((await check(owner, menu, link(poster.shortCode))).shown?.isInBin).toBe(true)
  })

  it('say nothing about codes of others, nor about drafts', async () => {
    const stranger = await newPerson(tessera)
    const [mine, theirs] = [await owner.code(), await stranger.code()]
    const draft = await owner.draft()
    for (const path of [theirs.shortCode, draft.shortCode, 'nobodys-path']) {
      const { proof, shown } = await check(owner, mine, link(path))
      expect([proof.verdict, shown]).toEqual(['other-address', null])
    }
    await expectRefusal(send(owner, draft, { found: 'other-address' }), 'code_not_found')
  })

  it(`are kept ${PROOFS_MAX} a code, the last ones`, async () => {
    const code = await owner.code()
    const reading = { found: 'nothing', trouble: 'dark' }
    await Promise.all(Array.from({ length: PROOFS_MAX + 2 }, () => check(owner, code, reading)))
    tessera.clock.advance(1_000)
    await check(owner, code, link(code.shortCode))
    const kept = await list(owner, code)
    expect(kept).toHaveLength(PROOFS_MAX)
    expect(kept[0]?.verdict).toBe('reads')
  })

  it('take nothing but what was found', async () => {
    const code = await owner.code()
    const signs = ['', 'a/b', 'x'.repeat(51)].map(link)
    const found = [
      {},
      { found: 'reads' },
      { found: 'nothing' },
      { found: 'nothing', trouble: 'sad' },
    ]
    for (const body of [...found, ...signs]) {
      expect((await send(owner, code, body)).status).toBe(422)
    }
    expect(await list(owner, code)).toEqual([])
  })

  it('are taken along with the account’s links', async () => {
    const code = await owner.code()
    const { proof } = await check(owner, code, link(code.shortCode))
    const { db } = tessera.database
    const exported = await codesToExport(db, tessera.origin).codesAfter(
      owner.workspaceId,
      undefined,
    )
    expect(exported.map(({ printChecks }) => printChecks)).toEqual([[proof]])
  })
})
