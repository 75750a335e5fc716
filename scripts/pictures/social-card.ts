import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser } from '@playwright/test'
import sharp from 'sharp'
import { svg } from '#qr/formats/svg.ts'
import { encode } from '#qr/symbol/encode.ts'
import { stone, verdigris } from '../../src/client/ui/theme/palette.ts'

const { resolve } = createRequire(import.meta.url)
const SIZE = { width: 1200, height: 630 }
const LINK = 'https://example.com/menu'

/** The picture that messages show beside a link to the landing page. */
export async function drawSocialCard(browser: Browser, floor: string, mark: string) {
  const page = await browser.newPage({ viewport: SIZE })
  await page.setContent(await card(floor, mark))
  await page.evaluate(() => document.fonts.ready)
  const shot = await page.screenshot()
  await page.close()
  return sharp(shot).png({ compressionLevel: 9, palette: true, quality: 90 }).toBuffer()
}

async function card(floor: string, mark: string): Promise<string> {
  const look = { style: 'rounded', foreground: stone[9] as string, background: '#ffffff' } as const
  const code = svg(encode(LINK), { ...look, size: 380 })
  return `<!doctype html><style>
    ${await fontFace('bricolage-grotesque', 'display')}
    ${await fontFace('figtree', 'text')}
    body{margin:0;width:1200px;height:630px;position:relative;overflow:hidden;background:${stone[0]};color:${stone[9]};font-family:text}
    .floor{position:absolute;left:430px;top:-150px}
    .code{position:absolute;left:724px;top:125px;border-radius:20px;overflow:hidden;box-shadow:0 20px 50px -16px rgb(42 37 32/.4);line-height:0}
    .words{position:absolute;left:72px;top:72px;width:580px}
    .name{display:flex;align-items:center;gap:18px;font:700 40px/1 display;letter-spacing:-.02em}
    .name svg{fill:${verdigris[8]}}
    h1{margin:92px 0 20px;font:700 76px/1.02 display;letter-spacing:-.03em}
    p{margin:0;font-size:31px;line-height:1.35;color:${stone[7]}}
  </style><div class="floor">${floor}</div><div class="code">${code}</div>
  <div class="words"><div class="name"><svg viewBox="0 0 16 16" width="46" height="46"><path d="${mark}"/></svg>Tessera</div>
  <h1>Print once.</h1><p>Change where it leads<br>as often as you like.</p></div>`
}

async function fontFace(name: string, family: string): Promise<string> {
  const file = resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`)
  const data = (await readFile(file)).toString('base64')
  return `@font-face{font-family:${family};font-weight:200 900;src:url(data:font/woff2;base64,${data})}`
}
