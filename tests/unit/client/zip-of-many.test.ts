import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { ZipOfMany } from '../../../src/client/codes/list/zip-of-many.ts'

/** A code's own zip, as the server makes it. */
const zipped = (stem: string, text: string) =>
  zipSync({ [`${stem}.png`]: strToU8(`png ${text}`), [`${stem}.svg`]: strToU8(`svg ${text}`) })

async function filesOf(zip: ZipOfMany): Promise<Record<string, string>> {
  const files = unzipSync(new Uint8Array(await zip.toBlob().arrayBuffer()))
  const read = new TextDecoder()
  return Object.fromEntries(Object.entries(files).map(([name, b]) => [name, read.decode(b)]))
}

describe('one zip of many codes', () => {
  it('has a folder for each code, named as its files are', async () => {
    const zip = new ZipOfMany()
    zip.add({ id: '11111111-a' }, zipped('Menu', 'one'))
    zip.add({ id: '22222222-b' }, zipped('v1.2 Poster', 'two'))
    expect(await filesOf(zip)).toEqual({
      'Menu/Menu.png': 'png one',
      'Menu/Menu.svg': 'svg one',
      'v1.2 Poster/v1.2 Poster.png': 'png two',
      'v1.2 Poster/v1.2 Poster.svg': 'svg two',
    })
  })

  it('separates codes of one name by the start of their ids', async () => {
    const zip = new ZipOfMany()
    zip.add({ id: '11111111-a' }, zipped('Menu', 'one'))
    zip.add({ id: '22222222-b' }, zipped('menu', 'two'))
    expect(Object.keys(await filesOf(zip))).toEqual([
      'Menu/Menu.png',
      'Menu/Menu.svg',
      'menu (#22222222)/menu.png',
      'menu (#22222222)/menu.svg',
    ])
  })
})
