import { expect, it } from 'vitest'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { fileAddress, fileKinds, fileNameOf } from '../../../src/client/codes/files.ts'
import { imageQuery } from '../../../src/contract/codes/codes.ts'
import { safeFileStem, zipNameOf } from '../../../src/contract/file-names.ts'

it.each([
  ['Poster', 'Poster.png', 'Poster_all_formats.zip'],
  ['Lunch / Dinner', 'Lunch Dinner.png', 'Lunch Dinner_all_formats.zip'],
  ['x'.repeat(200), `${'x'.repeat(100)}.png`, `${'x'.repeat(100)}_all_formats.zip`],
])(
  'a file of “%s” has the same name in the browser, in the zip and from the server',
  (name, png, zip) => {
    expect(fileNameOf(name, 'png')).toBe(png)
    expect(fileNameOf(name, 'zip')).toBe(zip)
    expect(zipNameOf(name)).toBe(zip)
    expect(`${safeFileStem(name)}.png`).toBe(png)
  },
)

it('each kind of file has an address that the server takes, and the last is the zip of the specification', () => {
  for (const { kind } of fileKinds.slice(0, -1)) {
    const address = fileAddress('1', kind, DEFAULT_LOOK, { mm: '50', size: '400' })
    const asked = imageQuery.parse(
      Object.fromEntries(new URL(address, 'https://tessera.example').searchParams),
    )
    expect(fileNameOf('Menu', kind)).toBe(`Menu.${asked.format}`)
    expect(asked).toMatchObject({ mm: 50, size: 400, ...(kind === 'pdf-cmyk' && { cmyk: true }) })
  }
  expect(fileKinds.at(-1)).toEqual({ kind: 'zip', label: 'ZIP All' })
})
