import { describe, expect, test } from 'vitest'
import { LOOKS_MAX } from '../../../src/contract/pictures/looks.ts'
import { fieldsOf } from '../../../src/contract/pictures/pictures.ts'
import { PLAIN_ARTWORK } from '../../../src/qr/artwork/artwork.ts'
import { DEFAULT_LOOK } from '../../../src/qr/symbol/look.ts'
import {
  beginningLook,
  refuseSameName,
  refuseTooMany,
} from '../../../src/server/codes/styles/style-rules.ts'
import type { LookRow } from '../../../src/server/codes/styles/styles-store.ts'

const row = (id: string, name: string): LookRow => ({
  ...{ id, user_id: 'ada', name, look: '{}', is_default: 0, made_at: 1 },
})

describe('the styles of an account', () => {
  test('have names that are not the same in any case or composition', () => {
    const kept = [row('1', 'Café')]
    for (const name of ['café', 'CAFÉ', 'Cafe\u0301']) {
      expect(() => refuseSameName(kept, '2', name)).toThrow('You have a style with this name')
    }
    expect(() => refuseSameName(kept, '1', 'CAFÉ')).not.toThrow()
    expect(() => refuseSameName(kept, '2', 'Cafe')).not.toThrow()
  })

  test(`are ${LOOKS_MAX} at most`, () => {
    const kept = Array.from({ length: LOOKS_MAX }, (_, index) => row(String(index), `${index}`))
    expect(() => refuseTooMany(kept.slice(1))).not.toThrow()
    expect(() => refuseTooMany(kept)).toThrow('50 styles')
  })
})

test('a new code begins without artwork on a plan that has none', () => {
  const artwork = { ...PLAIN_ARTWORK, margin: 6 }
  const look = { ...fieldsOf(DEFAULT_LOOK), artwork }
  expect(beginningLook(look, { hasArtwork: true })).toEqual(look)
  expect(beginningLook(look, { hasArtwork: false })).toEqual({ ...look, artwork: null })
})
