import { describe, expect, test } from 'vitest'
import { DAY_MS } from '../../../src/contract/time.ts'
import type { WorkspaceId } from '../../../src/server/database/ids.ts'
import type { DnsAnswer } from '../../../src/server/domains/dns.ts'
import { type DomainRow, judge, proofOf, stateOf } from '../../../src/server/domains/judge.ts'

const NOW = Date.parse('2026-11-25T12:00:00Z')

const claim = (id: string, more: Partial<DomainRow> = {}): DomainRow => ({
  id,
  workspace_id: id as WorkspaceId,
  host: 'qr.example.com',
  held: null,
  secret: id,
  is_default: 0,
  home_url: null,
  added_at: NOW - DAY_MS,
  proof_at: null,
  points_at: null,
  failing_since: null,
  ends_at: null,
  checked_at: null,
  check_at: NOW,
  found: null,
  ...more,
})
const held = { held: 'qr.example.com', proof_at: NOW, points_at: NOW }

const answer = (proofs: DomainRow[] | null, points: boolean | null = true): DnsAnswer => ({
  texts: proofs?.map(proofOf) ?? null,
  names: [],
  addresses: [],
  ours: [],
  points,
})

/** The state of a claim after the answer */
function stateAfter(claims: DomainRow[], id: string, given: DnsAnswer, now = NOW) {
  const row = claims.find((each) => each.id === id) as DomainRow
  return stateOf({ ...row, ...(judge(claims, given, now).changes.get(id) as Partial<DomainRow>) })
}

describe('a claim to a host', () => {
  const [ada, bob] = [claim('ada'), claim('bob')]

  test('that is free gets it by its proof, the older one of two', () => {
    expect(judge([ada, bob], answer([bob]), NOW)).toMatchObject({ won: bob })
    expect(judge([ada, bob], answer([ada, bob]), NOW)).toMatchObject({ won: ada })
    expect(judge([ada, bob], answer([]), NOW).won).toBeUndefined()
  })

  test('that was proved waits until the host leads here', () => {
    expect(stateAfter([ada], 'ada', answer([ada], false))).toBe('pending')
    expect(stateAfter([ada], 'ada', answer([ada], true))).toBe('active')
  })

  const holder = claim('ada', held)

  test('fails without its proof, or if the host leads elsewhere, and not while DNS is silent', () => {
    expect(stateAfter([holder], 'ada', answer([], true))).toBe('failing')
    expect(stateAfter([holder], 'ada', answer([holder], false))).toBe('failing')
    expect(stateAfter([holder], 'ada', answer(null, null))).toBe('active')
    expect(stateAfter([holder], 'ada', answer([holder], null))).toBe('active')
  })

  test('loses it to another proof seven days after its own has gone, and not before', () => {
    const claims = [holder, bob]
    const days = (count: number) => NOW + count * DAY_MS
    expect(judge(claims, answer([bob]), days(7) - 1).won).toBeUndefined()
    expect(judge(claims, answer([bob]), days(7))).toMatchObject({ won: bob, lost: holder })
    expect(judge(claims, answer([holder, bob]), days(30)).won).toBeUndefined()
    expect(judge(claims, answer(null), days(30)).won).toBeUndefined()
    expect(stateAfter(claims, 'ada', answer([bob]), days(7))).toBe('pending')
  })

  test('that was given up holds the host until its time is over', () => {
    const removed = claim('ada', { ...held, ends_at: NOW + DAY_MS })
    expect(stateAfter([removed, bob], 'ada', answer([bob, removed]))).toBe('removed')
    expect(judge([removed, bob], answer([bob]), NOW).won).toBeUndefined()
  })
})
