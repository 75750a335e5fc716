import { expect, test } from 'vitest'
import { plainText } from '#contract/zod.ts'

test.each(['\u202a', '\u202b', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068'])(
  'a name that would turn the text beside it with %j is refused',
  (control) => {
    expect(plainText.safeParse(`${control}gnp.exe`).success).toBe(false)
  },
)

test('a name of which nothing can be seen is empty', () => {
  for (const name of ['\u200b', ' \u2060\ufeff', '\u3164', '\u2800']) {
    expect(plainText.parse(name)).toBe('')
  }
})

test('a name of a right-to-left script stays as it was typed, marks and all', () => {
  const name = 'منيو \u200fCafé\u200e 2'
  expect(plainText.parse(name)).toBe(name)
})
