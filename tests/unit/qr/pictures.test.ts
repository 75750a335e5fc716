import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { imageFormats, pictureFormats } from '#contract/pictures/pictures.ts'
import { NotAColour } from '#qr/symbol/look.ts'
import { safeFileStem } from '../../../src/contract/file-names.ts'
import { attachment } from '../../../src/server/pictures/file-names.ts'
import { drawArchive, drawPicture } from '../../../src/server/pictures/pictures.ts'
import { somePicture as picture } from '../../support/shown.ts'

test.each(pictureFormats)('a text that is not a colour never reaches a %s', async (format) => {
  for (const colour of ['"/><script>', 'url(#x)', '0 0 1 rg', '#fff) Tj']) {
    for (const wrong of [{ foreground: colour }, { background: colour }]) {
      const drawn = drawPicture({ ...picture, format, printSize: 50, ...wrong })
      await expect(drawn).rejects.toThrow(NotAColour)
    }
  }
})

test('a PNG of 1,024 pixels is small', async () => {
  const large = { ...picture, size: 1024 }
  expect((await drawPicture(large)).bytes.length).toBeLessThan(1200)
  expect((await drawPicture({ ...large, style: 'rounded' })).bytes.length).toBeLessThan(24_000)
})

test('a zip holds exactly its files, in order, with the same bytes each time', async () => {
  const pictures = imageFormats.map((format) => ({ ...picture, format }))
  const archive = { pictures, stem: 'Menü' }
  const { bytes: zip } = await drawArchive(archive)
  const drawn = await Promise.all(pictures.map((each) => drawPicture(each)))
  const files = drawn.map(({ bytes }, at) => [`Menü.${imageFormats[at]}`, new Uint8Array(bytes)])
  expect(Object.entries(unzipSync(zip))).toEqual(files)
  expect((await drawArchive(archive)).bytes.equals(zip)).toBe(true)
})

test.each([
  ['Menu', 'Menu'],
  ['Speisekarte Größe 2', 'Speisekarte Größe 2'],
  ['../../etc/passwd', 'etc passwd'],
  ['what? "no" <b>|*', 'what no b'],
  ['CON', 'qr-code CON'],
  ['lpt1.menu', 'qr-code lpt1.menu'],
  ['Console', 'Console'],
  ['invoice\u202egnp.exe', 'invoicegnp.exe'],
  ['   ', 'qr-code'],
])('the file of a code named %j is called %j', (name, stem) => {
  expect(safeFileStem(name)).toBe(stem)
})

test('a long file name is cut between characters, within 100 units and 255 bytes', () => {
  expect(safeFileStem('x'.repeat(200))).toBe('x'.repeat(100))
  expect(safeFileStem(`${'x'.repeat(99)}😀`)).toBe('x'.repeat(99))
  expect(safeFileStem('菜'.repeat(200))).toBe('菜'.repeat(80))
  expect(safeFileStem(`CON.${'x'.repeat(200)}`)).toHaveLength(100)
})

test.each([
  ['Menu.png', 'attachment; filename="Menu.png"'],
  ['Größe 2.png', `attachment; filename="Gro_e 2.png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%202.png`],
  [
    "50% 'off' (now)*.png",
    `attachment; filename="50_ 'off' (now)*.png"; filename*=UTF-8''50%25%20%27off%27%20%28now%29%2A.png`,
  ],
  ['a"b\\c.png', `attachment; filename="a_b_c.png"; filename*=UTF-8''a%22b%5Cc.png`],
  ['菜单.zip', `attachment; filename="__.zip"; filename*=UTF-8''%E8%8F%9C%E5%8D%95.zip`],
  ['x\r\nSet-Cookie: a=b', 'attachment; filename="xSet-Cookie: a=b"'],
])('the download of %j is announced as %s', (name, header) => {
  expect(attachment(name)).toBe(header)
})
