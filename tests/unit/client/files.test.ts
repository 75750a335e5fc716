import { expect, it } from 'vitest'
import { fileNameOf } from '../../../src/client/codes/files.ts'
import { safeFileStem, zipNameOf } from '../../../src/contract/downloads/file-names.ts'

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
