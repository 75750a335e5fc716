import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Logo } from '../../src/contract/pictures/artwork.ts'
import { bombs, endless, type Hostile, noise, RECT, spies } from '../support/hostile-pictures.ts'
import { busyness } from '../support/limits.ts'
import { enrolPerson } from '../support/person.ts'
import { expectRefusal, refusal } from '../support/refusal.ts'
import { readPicturesApart, sharePictureProcess } from '../support/shared-picture-process.ts'
import { inTurn, seed, someOf, times } from '../support/soak.ts'
import { runTessera } from '../support/tessera.ts'

const GOOD_SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60">${RECT}</svg>`
const SCRIPT = '<script>alert(document.cookie)</script>'

const tessera = runTessera()
const owner = enrolPerson(tessera, 'starter')
/** Gives up soon on a file that takes for ever. */
const hurried = runTessera({ uploads: { taskMs: Math.round(1_000 * busyness) } })
const hurriedOwner = enrolPerson(hurried, 'starter')
let asked = 0
const listener = createServer((_request, response) => response.end())
beforeAll(async () => {
  listener.on('connection', () => asked++)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
})
afterAll(() => {
  listener.close()
})

const send = (
  { bytes, type }: Pick<Hostile, 'type'> & { bytes: Uint8Array | string },
  by = owner,
) => by.send('/api/logos', bytes, type)

const remove = ({ id }: Logo, by = owner) => by.delete(`/api/logos/${id}`)
/** The picture that is kept of a file, which is deleted again; undefined if the file was refused. */
async function keptOf(answer: Response): Promise<Buffer | undefined> {
  if (!answer.ok) {
    const { status, code, message } = await refusal(answer)
    expect([status, code]).toEqual([422, 'picture_unreadable'])
    expect(message).not.toMatch(/vips|rsvg|glib|passwd/i)
    return undefined
  }
  const logo = (await answer.json()) as Logo
  const shown = await owner.call(`/api/logos/${logo.id}`)
  expect(shown.headers.get('x-content-type-options')).toBe('nosniff')
  const picture = Buffer.from(await shown.arrayBuffer())
  expect((await remove(logo)).status).toBe(204)
  return picture
}

/** The parts of a PNG that are more than its pixels, its colours and its size in print. */
function othersIn(png: Buffer): string[] {
  const parts: string[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    parts.push(png.toString('latin1', at + 4, at + 8))
  }
  return parts.filter((part) => !['IHDR', 'PLTE', 'tRNS', 'pHYs', 'IDAT', 'IEND'].includes(part))
}

async function expectGoodOnes(by = owner) {
  const answer = await send({ bytes: GOOD_SVG, type: 'image/svg+xml' }, by)
  expect(answer.status).toBe(201)
  await remove((await answer.json()) as Logo, by)
  const portrait = await noise(60, 60).png().toBuffer()
  const sent = await by.send('/api/account/picture', portrait, 'image/png', 'PUT')
  expect(sent.status).toBe(204)
}

test('a file that takes too much memory or time is refused, and good pictures are read after it', async () => {
  readPicturesApart()
  onTestFinished(sharePictureProcess)
  for (const { what, type, make } of someOf(bombs(), 4)) {
    const { status, code, message } = await refusal(
      await send({ type, bytes: await make() }, hurriedOwner),
    )
    expect([what, status, code]).toEqual([what, 422, 'picture_unreadable'])
    expect(message).toMatch(/SVG|16 megapixels/)
  }
  const { code, message } = await refusal(await send(endless, hurriedOwner))
  expect([code, message]).toEqual([
    'picture_unreadable',
    'This SVG is too complex to draw. Simplify it, or use a PNG of it.',
  ])
  await expectGoodOnes(hurriedOwner)
})

test('nothing that a file names is asked for, and only pixels are kept of it', async () => {
  const { port } = listener.address() as AddressInfo
  for (const spy of someOf(spies(`http://127.0.0.1:${port}`), 4)) {
    const picture = await keptOf(await send(spy))
    if (picture) expect([spy.what, ...othersIn(picture)]).toEqual([spy.what])
  }
  expect(asked).toBe(0)
})

test.each([
  ['an address', `<image href="https://example.com/a.png"/>${RECT}`, 'not in the file'],
  ['nothing in it', '<g/>', 'Nothing can be seen'],
])('a logo with %s is refused with what helps', async (_what, inner, reason) => {
  const bytes = GOOD_SVG.replace(RECT, inner)
  const answer = await send({ bytes, type: 'image/svg+xml' })
  expect((await refusal(answer)).message).toContain(reason)
})

test('an SVG that is longer than a page, or begins with comments, is read', async () => {
  const long = GOOD_SVG.replace('</svg>', `<desc>${'x'.repeat(100_000)}</desc></svg>`)
  const type = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/svg11.dtd">'
  const begun = `\uFEFF<?xml version="1.0"?>\n<!-- ${'<svg> '.repeat(2_000)} -->\n${type}\n${GOOD_SVG}`
  for (const bytes of [long, begun]) {
    expect(await keptOf(await send({ bytes, type: 'image/svg+xml' }))).toBeDefined()
  }
})

test('a file that is a page or a program as well is refused, or only its pixels are kept', async () => {
  const png = await noise(30, 30).png().toBuffer()
  const jpg = await noise(30, 30)
    .withExif({ IFD0: { Artist: SCRIPT } })
    .jpeg()
    .toBuffer()
  const page = Buffer.from(`<html>${SCRIPT}</html>PK\x03\x04`)
  for (const [bytes, type, isKept] of [
    [Buffer.concat([png, page]), 'image/png', true],
    [Buffer.concat([jpg, page]), 'image/jpeg', true],
    [Buffer.from(GOOD_SVG.replace('</svg>', `${SCRIPT}</svg>`)), 'image/svg+xml', true],
    [Buffer.from(`GIF89a/*${GOOD_SVG}*/=0;alert(1)`), 'image/png', false],
    [Buffer.concat([page, png]), 'image/svg+xml', false],
    [Buffer.from(`<html>${GOOD_SVG}</html>`), 'image/svg+xml', false],
    [Buffer.from(`<!DOCTYPE svg [<!ENTITY a "b">]>${GOOD_SVG}`), 'image/svg+xml', false],
    [Buffer.from('no picture at all'), 'image/png', false],
  ] as const) {
    const picture = await keptOf(await send({ bytes, type }))
    expect(picture !== undefined).toBe(isKept)
    if (picture) expect(othersIn(picture)).toEqual([])
    expect(picture?.toString('latin1') ?? '').not.toContain('script')
  }
})

const goodFiles = async (): Promise<Hostile[]> => [
  { what: 'PNG', bytes: await noise(80, 50, 4).png().toBuffer(), type: 'image/png' },
  { what: 'JPG', bytes: await noise(80, 50).jpeg().toBuffer(), type: 'image/jpeg' },
  {
    what: 'progressive JPG',
    bytes: await noise(80, 50).jpeg({ progressive: true }).toBuffer(),
    type: 'image/jpeg',
  },
  { what: 'WebP', bytes: await noise(80, 50).webp().toBuffer(), type: 'image/webp' },
  {
    what: 'lossless WebP',
    bytes: await noise(80, 50, 4).webp({ lossless: true }).toBuffer(),
    type: 'image/webp',
  },
  { what: 'SVG', bytes: Buffer.from(GOOD_SVG), type: 'image/svg+xml' },
]

test('a file that ends after any sixteenth is refused', async () => {
  const sixteenths = Array.from({ length: 16 }, (_, parts) => parts)
  for (const [index, { what, bytes, type }] of someOf(await goodFiles(), 2).entries()) {
    for (const parts of inTurn(sixteenths, index + 8)) {
      const cut = bytes.subarray(0, Math.floor((bytes.length * parts) / 16))
      const answer = await send({ bytes: cut, type })
      expect([what, parts, answer.status]).toEqual([what, parts, 422])
      await expectRefusal(answer, 'picture_unreadable')
    }
  }
})

test('a good file that is changed anywhere is refused or gives only pixels', async () => {
  const files = await goodFiles()
  const edit = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    take: fc.nat({ max: 12 }),
    put: fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.constant(Buffer.from('<use href="#a"/>'))),
  })
  const changed = fc
    .record({
      file: fc.constantFrom(...files),
      edits: fc.array(edit, { minLength: 1, maxLength: 6 }),
    })
    .map(({ file, edits }) => {
      const bytes = edits.reduce((kept, { at, take, put }) => {
        const from = Math.floor(at * kept.length)
        return Buffer.concat([kept.subarray(0, from), put, kept.subarray(from + take)])
      }, file.bytes)
      return { ...file, bytes }
    })
  const property = fc.asyncProperty(changed, async (file) => {
    const picture = await keptOf(await send(file))
    if (picture) expect(othersIn(picture)).toEqual([])
  })
  await fc.assert(property, { seed, numRuns: times(4, 1_000) })
  await expectGoodOnes()
})
