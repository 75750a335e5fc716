import { existsSync } from 'node:fs'

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

/** A browser: CHROMIUM_PATH, else an installed one, else the one in the npm package, which needs no root. */
export async function chromium(): Promise<{ executablePath: string; args: string[] }> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const installed = [process.env.CHROMIUM_PATH, ...INSTALLED].find(
    (path) => path && existsSync(path),
  )
  if (installed) return { executablePath: installed, args: [...QUIET, ...asRoot] }
  const { default: packaged } = await import('@sparticuz/chromium')
  return {
    executablePath: await packaged.executablePath(),
    args: [...QUIET, ...asRoot, '--headless=new', '--no-zygote'],
  }
}
