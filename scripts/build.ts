/**
 * Builds the pages into dist/client: four HTML files, their hashed assets with their compressed
 * forms, and the landing page's markup rendered ahead of time. `--if-stale` does nothing when no
 * input has changed. Then it lets Node compile the server's code ahead of the first start.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { fillCompileCache } from './compile-cache.ts'
import { precompress } from './precompress.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const inputs = [
  'src/client',
  'src/contract',
  'src/qr',
  'public',
  'scripts/build.ts',
  'scripts/precompress.ts',
  'vite.config.ts',
  'package-lock.json',
]
const serverInputs = ['src/server', 'src/contract', 'src/qr', 'package-lock.json']
const pages = ['landing.html', 'app.html', 'sign-in.html', 'sandbox.html']
const output = join(root, 'dist/client')
const stampFile = join(root, 'dist/client.stamp')

function filesUnder(path: string): string[] {
  if (!existsSync(join(root, path))) return []
  const entries = readdirSync(join(root, path), { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** One hash over the names and contents of everything that something built depends on. */
function stampOf(paths: string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const input of paths) {
    const files = /\.\w+$/.test(input) ? [join(root, input)] : filesUnder(input)
    for (const file of files.sort()) {
      hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
    }
  }
  return hash.digest('hex')
}

function isFresh(stamp: string): boolean {
  const built = pages.every((page) => existsSync(join(output, page)))
  return built && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
}

/** Fills the built landing.html with the page's own markup, so that it is complete without script. */
async function prerenderLanding(clientDir: string, workDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      ssr: 'landing-prerender.tsx',
      outDir: workDir,
      copyPublicDir: false,
      rolldownOptions: { input: join(root, 'src/client/landing-prerender.tsx') },
    },
  })
  const entry = pathToFileURL(join(workDir, 'landing-prerender.js')).href
  const { render } = (await import(entry)) as { render: () => Promise<Record<string, string>> }
  const page = join(clientDir, 'landing.html')
  const filled = Object.entries(await render()).reduce(
    (html, [name, markup]) => {
      const mark = `<!--${name}-->`
      if (!html.includes(mark)) throw new Error(`landing.html has no ${mark} mark`)
      return html.replace(mark, () => markup)
    },
    await readFile(page, 'utf8'),
  )
  await writeFile(page, filled)
}

/** A reader of dist/client sees the old build or the new one, never a half of either. */
async function putInPlace(fresh: string, old: string): Promise<void> {
  while (existsSync(fresh)) {
    await rename(output, old).catch(unless('ENOENT'))
    // Where another build has been quicker, its pages give way to ours.
    await rename(fresh, output).catch(unless('ENOTEMPTY', 'EEXIST'))
    await rm(old, { recursive: true, force: true })
  }
}

function unless(...expected: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!expected.includes(error.code ?? '')) throw error
  }
}

/**
 * The sandbox's page is built apart from the others: what they would share with it is cut into more
 * files, and the dashboard's first load would be 8 kB heavier for a page that is hardly ever seen.
 */
async function buildSandbox(clientDir: string): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: join(root, 'vite.config.ts'),
    logLevel: 'warn',
    build: {
      outDir: clientDir,
      emptyOutDir: false,
      copyPublicDir: false,
      rolldownOptions: { input: join(root, 'src/client/sandbox.html') },
    },
  })
}

async function buildPages(stamp: string): Promise<void> {
  console.log('Building the pages …')
  const workspace = join(root, `dist/.building-${process.pid}`)
  const fresh = join(workspace, 'client')
  try {
    await mkdir(workspace, { recursive: true })
    const { build } = await import('vite')
    await build({
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'warn',
      build: { outDir: fresh },
    })
    await buildSandbox(fresh)
    await prerenderLanding(fresh, join(workspace, 'prerender'))
    await precompress(fresh)
    await putInPlace(fresh, join(workspace, 'old'))
    await writeFile(stampFile, stamp)
  } finally {
    await rm(workspace, { recursive: true, force: true })
  }
}

async function buildWhatIsStale(): Promise<void> {
  const stamp = stampOf(inputs)
  if (!process.argv.includes('--if-stale') || !isFresh(stamp)) await buildPages(stamp)
  await fillCompileCache(root, stampOf(serverInputs))
}

await buildWhatIsStale().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
