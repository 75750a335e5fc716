import { expect, it } from 'vitest'
import { copyOf } from '../../../src/client/codes/queries.ts'
import { codeChange, type QrCode } from '../../../src/contract/codes.ts'

const nameOf = (name: string) => copyOf({ name } as QrCode).name ?? ''

it('says of a copy that it is one', () => {
  expect(nameOf('Poster')).toBe('Poster (copy)')
})

it('gives a copy a name that can be saved, however long the original’s', () => {
  for (const name of ['w'.repeat(200), `${'w'.repeat(192)}😀${'w'.repeat(6)}`]) {
    expect(codeChange.safeParse({ name: nameOf(name) }).success).toBe(true)
    expect(nameOf(name)).toMatch(/w \(copy\)$/)
  }
})
