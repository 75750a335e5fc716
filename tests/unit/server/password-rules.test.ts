import { describe, expect, test } from 'vitest'
import { refuseWeakPassword } from '../../../src/server/accounts/passwords/password-rules.ts'

const ADA = { email: 'ada.lovelace@engines.example', name: 'Ada King-Lovelace' }

const check = (password: string, person = ADA) => refuseWeakPassword(password, person)

describe('a password', () => {
  test.each([
    ['one character repeated', 'aaaaaaaaaaaa'],
    ['spaces only', '        '],
    ['one letter in both cases', 'aAaAaAaA'],
  ])('of %s is refused', async (_words, password) => {
    await expect(check(password)).rejects.toMatchObject({
      code: 'invalid_input',
      fields: { password: 'A password can’t be one character repeated.' },
    })
  })

  test.each(['password123', 'PASSWORD123', 'qwertyuiop', 'ｐａｓｓｗｏｒｄ１２３'])(
    'that is among the most common ones is refused: %s',
    async (password) => {
      await expect(check(password)).rejects.toMatchObject({
        fields: { password: expect.stringContaining('very common') },
      })
    },
  )

  test.each([
    'ada.lovelace@engines.example',
    'Ada.Lovelace',
    'lovelace1',
    '12Lovelace',
    'lovelacelovelace',
    'adakinglovelace',
    'engines.example',
    'engines1!',
    'lovelace1234',
    'lovelacepassword',
  ])('that is the own address or name, or little more, is refused: %s', async (password) => {
    await expect(check(password)).rejects.toMatchObject({
      fields: { password: expect.stringContaining('Your email address or name') },
    })
  })

  test.each([
    'seven otters in a boat',
    'lovelace writes engines',
    'x7#mQ9!v',
    'abababab9',
    '__proto__',
  ])('that is none of these is taken: %s', async (password) => {
    await expect(check(password)).resolves.toBeUndefined()
  })

  test('may hold a short name, which says little', async () => {
    const li = { email: 'li@example.com', name: 'Li Wu' }
    await expect(check('liwu otters', li)).resolves.toBeUndefined()
  })
})
