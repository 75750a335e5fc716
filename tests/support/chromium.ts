import { existsSync } from 'node:fs'
import { sharedMemory } from './shared-memory.ts'

const INSTALLED = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Chromium looks for hosts of its own at every start; a closed network would make each a failure. */
const QUIET = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/** Playwright has a browser's shared memory in files: on a disk each page waits for it. */
const ignoreDefaultArgs = sharedMemory() ? ['--disable-dev-shm-usage'] : []

type Browser = { executablePath: string; args: string[]; ignoreDefaultArgs: string[] }

/** A browser: CHROMIUM_PATH, else an installed one, else the one in the npm package, which needs no root. */
export async function chromium(): Promise<Browser> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const installed = [process.env.CHROMIUM_PATH, ...INSTALLED].find(
    (path) => path && existsSync(path),
  )
  if (installed)
    return { executablePath: installed, args: [...QUIET, ...asRoot], ignoreDefaultArgs }
  const { default: packaged } = await import('@sparticuz/chromium')
  return {
    executablePath: await packaged.executablePath(),
    args: [...QUIET, ...asRoot, '--headless=new'],
    ignoreDefaultArgs,
  }
}
