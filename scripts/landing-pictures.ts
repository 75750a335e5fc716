/**
 * `node scripts/landing-pictures.ts`: photographs the demo's dashboard for the landing page, in light
 * and dark, in a window and on a phone, into public/pictures.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type APIRequestContext, type Browser, chromium } from '@playwright/test'
import sharp from 'sharp'
import type { QrCode } from '#contract/codes/codes.ts'
import { readConfig } from '../src/server/config.ts'
import { owner, PASSWORD } from '../src/server/demo/cafe.ts'
import { chromium as executable } from '../tests/support/chromium.ts'
import { startProcess } from '../tests/support/process.ts'
import { makeUnlessMade } from './demo/make-demo.ts'

const folder = fileURLToPath(new URL('../public/pictures', import.meta.url))

/** `widths` are those that src/client/landing/feature-sections.tsx offers to browsers. */
const views = [
  { name: 'wide', viewport: { width: 1280, height: 880 }, scale: 2, widths: [720, 1200, 2000] },
  { name: 'phone', viewport: { width: 390, height: 770 }, scale: 2, widths: [390, 780] },
]
type View = (typeof views)[number]

const schemes = ['light', 'dark'] as const

async function photograph(browser: Browser, origin: string, view: View, colorScheme: string) {
  const context = await browser.newContext({
    viewport: view.viewport,
    deviceScaleFactor: view.scale,
    reducedMotion: 'reduce',
    colorScheme: colorScheme === 'dark' ? 'dark' : 'light',
  })
  const data = { email: owner.email, password: PASSWORD }
  await context.request.post(`${origin}/api/auth/sign-in/email`, { data, headers: { origin } })
  await allChecked(context.request, origin)
  const page = await context.newPage()
  // A visitor would wonder about the address of this machine.
  await page.route('**/api/config', async (route) => {
    const config = await (await route.fetch()).json()
    await route.fulfill({ json: { ...config, hostUrl: 'https://qr.example.com' } })
  })
  await page.goto(`${origin}/dashboard`, { waitUntil: 'networkidle' })
  await page.getByRole('figure', { name: 'in the last 30 days' }).waitFor()
  const shot = await page.screenshot()
  await context.close()
  return shot
}

/** The server checks the demo's codes once it runs. */
async function allChecked(request: APIRequestContext, origin: string): Promise<void> {
  for (;;) {
    const codes: QrCode[] = await (await request.get(`${origin}/api/qr-codes`)).json()
    if (codes.every(({ legibility }) => legibility)) return
    await sleep(200)
  }
}

async function writeSizes(shot: Buffer, { name, widths }: View, scheme: string): Promise<void> {
  for (const width of widths) {
    const resized = sharp(shot).resize({ width })
    const file = join(folder, `${name}-${scheme}-${width}`)
    await resized.clone().avif({ quality: 55, effort: 6 }).toFile(`${file}.avif`)
    await resized.clone().webp({ quality: 78, effort: 6 }).toFile(`${file}.webp`)
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'tessera-pictures-'))
await makeUnlessMade(readConfig({ DATA_DIR: dataDir }))
const tessera = await startProcess({ dataDir })
const browser = await chromium.launch(await executable())
try {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const view of views) {
    for (const scheme of schemes) {
      await writeSizes(await photograph(browser, tessera.origin, view, scheme), view, scheme)
    }
  }
} finally {
  await browser.close()
  await tessera.stop()
  await tessera.remove()
}
