/**
 * How many of our PNGs OpenCV's QRCodeDetector reads, in every preset, correction and usual size: both
 * styles, and dots with each shape of eyes. It needs `pip install opencv-python-headless`, for the python3 of
 * PATH or of PYTHON: Debian's python3-opencv finds codes and decodes none.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { colourPresets } from '#contract/pictures/pictures.ts'
import { eyeShapes, PLAIN_ARTWORK } from '#qr/artwork/artwork.ts'
import { type Appearance, DEFAULT_LOOK, eccLevels, styles } from '#qr/symbol/look.ts'
import { drawPicture } from '../src/server/pictures/pictures.ts'

const SIZES = [128, 192, 256, 384, 512, 768, 1024]
const TEXTS = ['https://tessera.example/qr/k7m2xq9', 'https://tessera.example/qr/summer-menu-2027']

const looks: readonly (Pick<Appearance, 'style' | 'artwork'> & { readonly name: string })[] = [
  ...styles.map((style) => ({ name: style, style })),
  ...eyeShapes.map((shape) => ({
    name: `dots, ${shape} eyes`,
    style: 'classic' as const,
    artwork: { ...PLAIN_ARTWORK, modules: 'dots' as const, eyeFrame: shape, eyeBall: shape },
  })),
]

const PYTHON = process.env.PYTHON ?? 'python3'

/** Reads the pictures that its lines name and prints each one's text, or an empty line. */
const READER = `
import sys, cv2
detector = cv2.QRCodeDetector()
for line in sys.stdin:
    print(detector.detectAndDecode(cv2.imread(line.strip()))[0])
`

function readAll(files: readonly string[]): string[] {
  const { status, stdout, stderr } = spawnSync(PYTHON, ['-c', READER], {
    input: files.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  })
  if (status === 0) return stdout.split('\n')
  console.error(`${stderr ?? ''}This bench needs OpenCV: pip install opencv-python-headless`)
  process.exit(1)
}

const folder = await mkdtemp(join(tmpdir(), 'tessera-opencv-'))
try {
  for (const { name, ...look } of looks) {
    const pictures = colourPresets.flatMap(({ name: preset, foreground, background }) =>
      eccLevels.flatMap((ecc) =>
        SIZES.flatMap((size) =>
          TEXTS.map((text) => ({ preset, ecc, size, text, foreground, background })),
        ),
      ),
    )
    const files = await Promise.all(
      pictures.map(async ({ preset: _, ...picture }, index) => {
        const file = join(folder, `${index}.png`)
        const design = { ...DEFAULT_LOOK, ...look, ...picture, format: 'png' as const }
        await writeFile(file, (await drawPicture(design)).bytes)
        return file
      }),
    )
    const found = readAll(files)
    const missed = pictures.filter(({ text }, index) => found[index] !== text)
    console.log(`${name}: ${pictures.length - missed.length} of ${pictures.length} are read`)
    for (const key of ['preset', 'size', 'ecc'] as const) {
      const groups = [...Map.groupBy(missed, (picture) => picture[key])]
      if (groups.length > 0)
        console.log(
          `  missed by ${key}: ${groups.map(([value, { length }]) => `${value} ${length}`).join(', ')}`,
        )
    }
  }
} finally {
  await rm(folder, { recursive: true })
}
