import { describe, expect, it } from 'vitest'
import { conditionHeaders, meetsConditions } from '#contract/request-headers.ts'

const meets = (header: string, version: number | null, name = 'if-match') =>
  meetsConditions(conditionHeaders.parse({ [name]: header }), version)
const isCondition = (text: string) => conditionHeaders.safeParse({ 'if-match': text }).success

describe('If-Match', () => {
  it.each(['"3"', '*', ' * ', '"2", "3"', '"2","3"', ',"3",', 'W/"3", "3"', '"a,b" , "3"'])(
    '%s is met by version 3',
    (header) => expect(meets(header, 3)).toBe(true),
  )

  it.each(['"2"', '"33"', '"2", "4"', 'W/"3"', '""', '"2,3"'])(
    '%s is not met by version 3',
    (header) => expect(meets(header, 3)).toBe(false),
  )

  it.each(['', ' ', ',', '3', '"3', '"3" "4"', '*, "3"', 'w/"3"', '"3";', '"2, 3"'])(
    '%j is no condition',
    (header) => expect(isCondition(header)).toBe(false),
  )

  it('has a length at which it is no condition', () => {
    expect(isCondition(`"${'3'.repeat(2000)}"`)).toBe(false)
  })

  it('is met by every version if it is absent', () => {
    expect(meetsConditions({}, 3)).toBe(true)
  })

  it('is not met by what is not there, and If-None-Match is by it alone, or by another version', () => {
    expect(['*', '"3"'].map((header) => meets(header, null))).toEqual([false, false])
    const isNew = (header: string, version: number | null) =>
      meets(header, version, 'if-none-match')
    expect([isNew('*', null), isNew('"3"', null), isNew('"2", "4"', 3)]).toEqual([true, true, true])
    expect([isNew('*', 3), isNew('"2", W/"3"', 3)]).toEqual([false, false])
  })
})
