import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { afterEach, expect, test } from 'vitest'
import {
  PictureProcess,
  PictureProcessLost,
} from '../../../src/server/pictures/uploads/picture-process.ts'
import { bombs, burdens, endless } from '../../support/hostile-pictures.ts'
import { STEP_LIMIT_MS } from '../../support/limits.ts'
import { someOf } from '../../support/soak.ts'

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

test('each picture has a process of its own, which ends with it', async () => {
  pictures = new PictureProcess(limits)
  const pids = new Set<number>()
  for (let read = 0; read < 2; read++) {
    const reading = pictures.read(await task())
    pids.add(pictures.pid ?? 0)
    expect(await reading).toHaveProperty('portrait')
    expect(pictures.pid).toBeUndefined()
  }
  expect(pids.size).toBe(2)
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

/** The most memory that a process has had, in MiB (proc_pid_status(5)); undefined if it is gone. */
function peakOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const kib = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]
    return kib ? Number(kib) / 1024 : undefined
  } catch {
    return undefined
  }
}

test.runIf(process.platform === 'linux')(
  'no picture takes the process over 256 MiB, and each is answered or given up',
  async () => {
    pictures = new PictureProcess({ ...limits, taskMs: 2_000 })
    const forever = { ...endless, make: async () => endless.bytes }
    const hostile = [...bombs(), forever, ...burdens()]
    let peak = 0
    const look = () => {
      if (pictures.pid) peak = Math.max(peak, peakOf(pictures.pid) ?? 0)
    }
    const looking = setInterval(look, 2)
    for (const { what, make } of someOf(hostile, 18)) {
      const bytes = await make()
      peak = 0
      const reply = await pictures
        .read({ use: 'logo', bytes, maxPixels: 16_000_000 })
        .catch((error: unknown) => error)
      look()
      if (!(reply instanceof PictureProcessLost)) {
        expect(Object.keys(reply as object)[0]).toMatch(/^(logo|refused)$/)
      }
      expect([what, peak > 0, peak < 256]).toEqual([what, true, true])
    }
    clearInterval(looking)
    expect(await pictures.read(await task())).toHaveProperty('portrait')
  },
)
