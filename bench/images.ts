/**
 * Our pictures beside the `qrcode` package and beside sharp drawing our own SVG: CPU time (of all
 * threads) and bytes, in turns in one run. Fails when a picture with artwork misses its limit.
 */
import QRCode from 'qrcode'
import sharp from 'sharp'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import { drawArchive, drawPicture, type Picture } from '../src/server/pictures/pictures.ts'
import { median } from './figures.ts'
import { artworks, logoPicture } from './image-looks.ts'

const ROUNDS = 5
const TEXT = 'https://tessera.example/qr/k7m2xq9'
const SIZE = 1024
/** As good as our JPEGs: on the same pictures both are off by at most 13 of 255. */
const JPEG = { quality: 98, chromaSubsampling: '4:4:4' } as const

type Draw = () => Promise<{ length: number }>
type Cost = { cpuMs: number; bytes: number }

async function cost(draw: Draw, times: number): Promise<Cost> {
  const before = process.cpuUsage()
  let bytes = 0
  for (let time = 0; time < times; time++) bytes = (await draw()).length
  const { user, system } = process.cpuUsage(before)
  return { cpuMs: (user + system) / 1000 / times, bytes }
}

/** Each as often as takes about a fifth of a second. */
async function timesFor(draw: Draw): Promise<number> {
  await cost(draw, 20)
  return Math.ceil(200 / Math.max(0.05, (await cost(draw, 10)).cpuMs))
}

/** @returns how many times as fast as the reference ours is */
async function compare(title: string, ours: Draw, reference: { name: string; draw: Draw }) {
  const draws = [ours, reference.draw] as const
  const times = [await timesFor(ours), await timesFor(reference.draw)] as const
  const seen: [number[], number[]] = [[], []]
  const bytes = [0, 0]
  for (let round = 0; round < ROUNDS; round++) {
    for (const index of [0, 1] as const) {
      const { cpuMs, bytes: length } = await cost(draws[index], times[index])
      seen[index].push(cpuMs)
      bytes[index] = length
    }
  }
  const [mine, other] = [median(seen[0]), median(seen[1])]
  const [myBytes = 0, otherBytes = 1] = bytes
  console.log(
    `${title}: ${(other / mine).toFixed(1)} x as fast as ${reference.name}, ${(myBytes / otherBytes).toFixed(2)} of its bytes ` +
      `(${mine.toFixed(2)} and ${other.toFixed(2)} ms of CPU; ${myBytes} and ${otherBytes} bytes)`,
  )
  return other / mine
}

function picture(change: Partial<Picture>): Picture {
  return { ...DEFAULT_LOOK, text: TEXT, format: 'png', size: SIZE, ...change }
}

const ours = (change: Partial<Picture>) => async () => (await drawPicture(picture(change))).bytes

const qrcode = { width: SIZE, errorCorrectionLevel: 'M', margin: 4 } as const
const qrcodePng = {
  name: 'qrcode',
  draw: () => QRCode.toBuffer(TEXT, { ...qrcode, type: 'png' }),
}
const qrcodeSvg = {
  name: 'qrcode',
  draw: () => QRCode.toString(TEXT, { ...qrcode, type: 'svg' }),
}

async function viaSharp(change: Partial<Picture>, format: 'png' | 'jpg' | 'webp') {
  const { bytes } = await drawPicture(picture({ ...change, format: 'svg' }))
  const source = Buffer.from(bytes)
  const draw = () => {
    const drawn = sharp(source)
    if (format === 'webp') return drawn.webp({ lossless: true, effort: 1 }).toBuffer()
    return (format === 'png' ? drawn.png() : drawn.jpeg(JPEG)).toBuffer()
  }
  return { name: 'sharp on our SVG', draw }
}

/** A PNG with artwork is at least this many times as fast as sharp drawing our own SVG. */
const ARTWORK_FACTOR = 3

const OCEAN = { foreground: '#1e40af', background: '#f0f9ff' }

await compare('PNG classic', ours({}), qrcodePng)
await compare('SVG classic', ours({ format: 'svg' }), qrcodeSvg)
await compare('SVG rounded', ours({ format: 'svg', style: 'rounded' }), qrcodeSvg)
await compare('PNG classic', ours({}), await viaSharp({}, 'png'))
await compare(
  'PNG rounded',
  ours({ style: 'rounded' }),
  await viaSharp({ style: 'rounded' }, 'png'),
)
for (const style of ['classic', 'rounded'] as const) {
  for (const [name, colours] of [
    ['black', {}],
    ['blue', OCEAN],
  ] as const) {
    const change = { style, ...colours }
    const reference = await viaSharp(change, 'jpg')
    await compare(`JPG ${style}, ${name}`, ours({ ...change, format: 'jpg' }), reference)
  }
}
for (const style of ['classic', 'rounded'] as const) {
  const pictures = (['png', 'svg', 'jpg'] as const).map((format) => {
    return picture({ style, ...OCEAN, format })
  })
  const draw = async () => (await drawArchive({ pictures, stem: 'code' })).bytes
  const { cpuMs, bytes } = await cost(draw, await timesFor(draw))
  console.log(`ZIP ${style}: ${cpuMs.toFixed(1)} ms of CPU, ${bytes} bytes`)
}
const logo = await logoPicture()
for (const [name, artwork] of artworks) {
  const change = { ...OCEAN, ecc: 'H', artwork, logo } as const
  for (const format of ['png', 'jpg', 'webp'] as const) {
    const reference = await viaSharp(change, format)
    const title = `${format.toUpperCase()} with ${name}`
    const factor = await compare(title, ours({ ...change, format }), reference)
    if (format !== 'png') continue
    const holds = factor >= ARTWORK_FACTOR
    console.log(`${holds ? 'holds' : 'MISSED'}: at least ${ARTWORK_FACTOR} x as fast`)
    if (!holds) process.exitCode = 1
  }
}
