import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tagColours } from '../../../src/contract/codes/code-values.ts'

const css = readFileSync(
  new URL('../../../src/client/codes/tags/tags.module.css', import.meta.url),
  'utf8',
)
/** --panel of brand.css */
const panels = { light: '#ffffff', dark: '#211f1b' }
/** The part of the colour in the chip's ground */
const PART = 0.12

const channelsOf = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)

function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOnGround(text: string, panel: string): number {
  const [ink, paper] = [channelsOf(text), channelsOf(panel)]
  const ground = ink.map((value, index) => value * PART + (paper[index] ?? 0) * (1 - PART))
  const [light = 0, dark = 0] = [luminanceOf(ink), luminanceOf(ground)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

test.each(tagColours)('a %s tag can be read in light and dark (WCAG 1.4.3)', (colour) => {
  const [light = '', dark = ''] =
    new RegExp(`--${colour}: ([^;]+)`).exec(css)?.[1]?.match(/#[0-9a-f]{6}/g) ?? []
  expect(contrastOnGround(light, panels.light)).toBeGreaterThan(4.5)
  expect(contrastOnGround(dark, panels.dark)).toBeGreaterThan(4.5)
})
