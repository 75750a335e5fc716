import { describe, expect, it } from 'vitest'
import { between } from '../../../src/client/codes/list/selection.ts'
import { askIfUnreadable } from '../../../src/client/codes/list/unreadable.ts'
import type { Question } from '../../../src/client/ui/question.tsx'
import type { QrCode } from '../../../src/contract/codes.ts'

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }) as QrCode)
const [a, b, , d] = rows as [QrCode, QrCode, QrCode, QrCode]
const idsOf = (codes: QrCode[]) => codes.map(({ id }) => id).join('')

describe('a range of rows', () => {
  it('goes from one row to the other, whichever is above', () => {
    expect(idsOf(between(rows, 'b', d))).toBe('bcd')
    expect(idsOf(between(rows, 'd', a))).toBe('abcd')
    expect(idsOf(between(rows, 'b', b))).toBe('b')
  })

  it('is the one row where the other is not on the page', () => {
    expect(idsOf(between(rows, 'z', d))).toBe('d')
    expect(idsOf(between(rows, null, d))).toBe('d')
  })
})

describe('a download of codes', () => {
  type Verdict = QrCode['legibility']
  function asked(verdicts: Verdict[]): { question: Question | null; went: boolean } {
    const seen = { question: null as Question | null, went: false }
    const codes = verdicts.map((legibility, index) => ({ name: `${index}`, legibility }))
    askIfUnreadable(
      codes,
      (question) => {
        seen.question = question
      },
      () => {
        seen.went = true
      },
    )
    return seen
  }

  it('goes on where no code is known to be unreadable', () => {
    expect(asked(['good', 'risky', null])).toEqual({ question: null, went: true })
  })

  it('asks first where the only code cannot be scanned', () => {
    const { question, went } = asked(['unreadable'])
    expect(went).toBe(false)
    expect(question?.title).toBe('This code cannot be scanned')
    expect(question?.text).toContain('“0”')
  })

  it('names three of those that cannot, and counts the rest', () => {
    const { question } = asked([...new Array<Verdict>(5).fill('unreadable'), 'good'])
    expect(question?.title).toBe('5 of 6 codes cannot be scanned')
    expect(question?.text).toContain('“0”, “1”, “2”, and 2 more.')
  })

  it('goes on once somebody wants it all the same', () => {
    let went = false
    const codes = [{ name: 'Menu', legibility: 'unreadable' as const }]
    askIfUnreadable(
      codes,
      (question) => question.onGo(),
      () => {
        went = true
      },
    )
    expect(went).toBe(true)
  })
})
