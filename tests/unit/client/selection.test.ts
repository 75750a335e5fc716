import { describe, expect, it } from 'vitest'
import { unreadableQuestion } from '../../../src/client/codes/list/questions.tsx'
import { between } from '../../../src/client/codes/list/selection.ts'
import type { QrCode } from '../../../src/contract/codes/codes.ts'

const rows = ['a', 'b', 'c', 'd'].map((id) => ({ id }) as QrCode)
const [a, b, , d] = rows as [QrCode, QrCode, QrCode, QrCode]
const idsOf = (codes: QrCode[]) => codes.map(({ id }) => id).join('')

describe('a range of rows', () => {
  it('goes from one row to the other, up or down', () => {
    expect(idsOf(between(rows, 'b', d))).toBe('bcd')
    expect(idsOf(between(rows, 'd', a))).toBe('abcd')
    expect(idsOf(between(rows, 'b', b))).toBe('b')
  })

  it('is one row if the other is not on the page', () => {
    expect(idsOf(between(rows, 'z', d))).toBe('d')
    expect(idsOf(between(rows, null, d))).toBe('d')
  })
})

describe('the question before a download', () => {
  const questionAbout = (...verdicts: QrCode['legibility'][]) =>
    unreadableQuestion(verdicts.map((legibility, index) => ({ name: `${index}`, legibility })))

  it('is not asked if every code is readable', () => {
    expect(questionAbout('good', 'risky', null)).toBeNull()
  })

  it('names the only code', () => {
    const question = questionAbout('unreadable')
    expect(question?.title).toBe('Most scanners can’t read this code')
    expect(question?.text).toContain('“0”')
  })

  it('names three of several, and counts the rest', () => {
    const question = questionAbout(...new Array<'unreadable'>(5).fill('unreadable'), 'good')
    expect(question?.title).toBe('Most scanners can’t read 5 of 6 QR codes')
    expect(question?.text).toContain('“0”, “1”, “2”, and 2 more.')
  })
})
