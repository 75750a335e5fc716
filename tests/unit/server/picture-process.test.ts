import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import {
  PictureProcess,
  PictureProcessLost,
} from '../../../src/server/pictures/uploads/picture-process.ts'
import { STEP_LIMIT_MS } from '../../support/limits.ts'

const file = () =>
  sharp({ create: { width: 3_000, height: 3_000, channels: 3, background: 'red' } }).png()
const limits = { startMs: STEP_LIMIT_MS, taskMs: STEP_LIMIT_MS }
const task = async () => ({
  use: 'portrait' as const,
  bytes: await file().toBuffer(),
  maxPixels: 16_000_000,
})

let pictures = new PictureProcess(limits)
afterEach(() => pictures.stop())

test('a process starts with the first picture and draws the next ones too', async () => {
  pictures = new PictureProcess(limits)
  expect(pictures.pid).toBeUndefined()
  expect(await pictures.read(await task())).toHaveProperty('portrait')
  const first = pictures.pid
  expect(first).toBeGreaterThan(0)
  await pictures.read(await task())
  expect(pictures.pid).toBe(first)
})

test('a process without work ends', async () => {
  pictures = new PictureProcess({ ...limits, idleMs: 1 })
  await pictures.read(await task())
  await expect.poll(() => pictures.pid).toBeUndefined()
  expect(await pictures.read(await task())).toHaveProperty('portrait')
})

test('a picture that takes too long ends its process, and the next one has another', async () => {
  pictures = new PictureProcess({ ...limits, taskMs: 0 })
  await expect(pictures.read(await task())).rejects.toThrow(PictureProcessLost)
  expect(pictures.pid).toBeUndefined()
})

test('a picture that breaks its process fails, and the next one has another', async () => {
  pictures = new PictureProcess(limits)
  const [broken, next] = [await task(), await task()]
  const drawing = pictures.read(broken)
  await expect.poll(() => pictures.pid).toBeDefined()
  process.kill(pictures.pid ?? 0, 'SIGKILL')
  await expect(drawing).rejects.toThrow(PictureProcessLost)
  expect(await pictures.read(next)).toHaveProperty('portrait')
})
