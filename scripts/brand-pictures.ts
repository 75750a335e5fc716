/**
 * `node scripts/brand-pictures.ts` draws the brand's pictures: the icons, the landing page's mosaic
 * and the picture that messages show beside a link to it.
 */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from '@playwright/test'
import { chromium as executable } from '../tests/support/chromium.ts'
import { drawIcons, readMark } from './pictures/icons.ts'
import { mosaicFloor } from './pictures/mosaic.ts'
import { drawSocialCard } from './pictures/social-card.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const publicDir = join(root, 'public')

const floor = mosaicFloor('tessera')
await writeFile(join(root, 'src/client/landing/mosaic.svg'), floor)
const mark = await readMark(publicDir)
await drawIcons(publicDir, mark)

const browser = await chromium.launch(await executable())
try {
  await writeFile(join(publicDir, 'social.png'), await drawSocialCard(browser, floor, mark))
} finally {
  await browser.close()
}
