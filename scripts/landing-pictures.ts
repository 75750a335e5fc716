/**
 * `node scripts/landing-pictures.ts`: photographs the dashboard of the demo for the landing page, in
 * light and dark, as a window and as a phone has it, into public/pictures.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from '@playwright/test'
import sharp from 'sharp'
import { chromium as executable } from '../tests/support/chromium.ts'
import { owner, PASSWORD } from './demo/demo-accounts.ts'
import { startDemo } from './pictures/demo-server.ts'

const folder = fileURLToPath(new URL('../public/pictures', import.meta.url))

/** `widths` are those that src/client/landing/dashboard-picture.tsx offers to browsers. */
const views = [
  { name: 'wide', viewport: { width: 1280, height: 880 }, scale: 2, widths: [720, 1200, 2000] },
  { name: 'phone', viewport: { width: 390, height: 770 }, scale: 2, widths: [390, 780] },
]
type View = (typeof views)[number]

const schemes = ['light', 'dark'] as const

/** The dashboard once nothing on it waits any more. */
async function photograph(browser: Browser, origin: string, view: View, colorScheme: string) {
  const context = await browser.newContext({
    ...{ viewport: view.viewport, deviceScaleFactor: view.scale, reducedMotion: 'reduce' },
    colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
  })
  const data = { email: owner.email, password: PASSWORD }
  const headers = { origin }
  await context.request.post(`${origin}/api/auth/sign-in/email`, { data, headers })
  const page = await context.newPage()
  await page.goto(`${origin}/dashboard`, { waitUntil: 'networkidle' })
  await page.locator('.recharts-bar-rectangle').first().waitFor()
  const shot = await page.screenshot()
  await context.close()
  return shot
}

async function writeSizes(shot: Buffer, { name, widths }: View, scheme: string): Promise<void> {
  for (const width of widths) {
    const resized = sharp(shot).resize({ width })
    const file = join(folder, `${name}-${scheme}-${width}`)
    await resized.clone().avif({ quality: 55, effort: 6 }).toFile(`${file}.avif`)
    await resized.clone().webp({ quality: 78, effort: 6 }).toFile(`${file}.webp`)
  }
}

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const dataDir = process.env.DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'tessera-pictures-')))
const demo = await startDemo(dataDir)
const browser = await chromium.launch(await executable())
try {
  for (const view of views) {
    for (const scheme of schemes) {
      await writeSizes(await photograph(browser, demo.origin, view, scheme), view, scheme)
    }
  }
} finally {
  await browser.close()
  await demo.stop()
  if (!process.env.DATA_DIR) await rm(dataDir, { recursive: true })
}
