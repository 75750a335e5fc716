import { describe, expect, it } from 'vitest'
import { ifMatch, isMatch } from '#contract/request-headers.ts'

const meets = (header: string, version: number) => isMatch(ifMatch.parse(header), version)

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
    (header) => expect(ifMatch.safeParse(header).success).toBe(false),
  )

  it('has a length at which it is no condition', () => {
    expect(ifMatch.safeParse(`"${'3'.repeat(2000)}"`).success).toBe(false)
  })

  it('is met by every version if it is absent', () => {
    expect(isMatch(undefined, 3)).toBe(true)
  })
})
