/**
 * Builds the pages into dist/client: six HTML files, their hashed assets with their compressed
 * forms, and the landing page's markup rendered ahead of time. `--if-stale` builds them only when an
 * input has changed. Then come the API's document, and the server's code compiled ahead of the first start.
 * A release has pages and document, and none of the packages that make them.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { BuildOptions } from 'vite'
import { allBuilt, fillMarks } from './client-pages.ts'
import { fillCompileCache } from './compile-cache.ts'
import { precompress } from './precompress.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const inputs = [
  ...['src/client', 'src/contract', 'src/qr', 'public', 'vite.config.ts', 'package-lock.json'],
  ...['scripts/build.ts', 'scripts/client-pages.ts', 'scripts/dashboard-modules.ts'],
  ...['scripts/precompress.ts', 'scripts/reference.ts'],
]
const serverInputs = ['src/server', 'src/contract', 'src/qr', 'package-lock.json']
const output = join(root, 'dist/client')
const stampFile = join(root, 'dist/client.stamp')
const isRelease = existsSync(join(root, 'dist/release'))

function filesOf(path: string): string[] {
  if (statSync(path).isFile()) return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** One hash over the names and contents of everything that the build depends on. */
function stampOf(paths: string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const file of paths.flatMap((path) => filesOf(join(root, path)))) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function isFresh(stamp: string): boolean {
  return allBuilt(output) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp
}

async function viteBuild(options: BuildOptions): Promise<void> {
  const { build } = await import('vite')
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: 'warn', build: options })
}

/**
 * The group of what the dashboard needs before anything is touched and shares with another screen. The
 * sign-in page, which comes before it, loads it too.
 */
async function frameGroup() {
  const { dashboardModules } = await import('./dashboard-modules.ts')
  const modules = await dashboardModules()
  return { name: 'frame', test: (file: string) => modules.has(file), minShareCount: 2 }
}

/**
 * The sandbox's page, the shared one and the reference's are each built apart from the others: shared
 * with them, their code would be cut into more files, and the dashboard's first load would be 8 kB heavier
 * for pages that few people see.
 */
function buildApart(page: string, clientDir: string): Promise<void> {
  return viteBuild({
    outDir: clientDir,
    emptyOutDir: false,
    copyPublicDir: false,
    rolldownOptions: { input: join(root, `src/client/${page}.html`) },
  })
}

async function prerenderLanding(clientDir: string, workDir: string): Promise<void> {
  await viteBuild({
    ssr: 'landing-prerender.tsx',
    outDir: workDir,
    copyPublicDir: false,
    rolldownOptions: { input: join(root, 'src/client/landing-prerender.tsx') },
  })
  const { render } = await import(pathToFileURL(join(workDir, 'landing-prerender.js')).href)
  const page = join(clientDir, 'landing.html')
  await writeFile(page, fillMarks(await readFile(page, 'utf8'), await render()))
}

/** A reader of dist/client sees the old build or the new one, never half of each. */
async function putInPlace(fresh: string, old: string): Promise<void> {
  while (existsSync(fresh)) {
    await rename(output, old).catch(unless('ENOENT'))
    // Another build may have been quicker: the loop moves its pages away too.
    await rename(fresh, output).catch(unless('ENOTEMPTY', 'EEXIST'))
    await rm(old, { recursive: true, force: true })
  }
}

function unless(...expected: string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (!expected.includes(error.code ?? '')) throw error
  }
}

async function buildPages(stamp: string): Promise<void> {
  console.log('Building the pages …')
  const codeSplitting = { groups: [await frameGroup()] }
  const workspace = join(root, `dist/.building-${process.pid}`)
  const fresh = join(workspace, 'client')
  try {
    await mkdir(workspace, { recursive: true })
    await viteBuild({ outDir: fresh, rolldownOptions: { output: { codeSplitting } } })
    for (const page of ['sandbox', 'share', 'docs']) await buildApart(page, fresh)
    const { buildReference } = await import('./reference.ts')
    await buildReference(fresh)
    await prerenderLanding(fresh, join(workspace, 'prerender'))
    await precompress(fresh)
    await putInPlace(fresh, join(workspace, 'old'))
    await writeFile(stampFile, stamp)
  } finally {
    await rm(workspace, { recursive: true, force: true })
  }
}

async function buildPagesAndDocument(): Promise<void> {
  const stamp = stampOf(inputs)
  if (!process.argv.includes('--if-stale') || !isFresh(stamp)) await buildPages(stamp)
  const { buildApiDocument } = await import('./api-document/build.ts')
  await buildApiDocument(join(root, 'dist'), stampOf([...serverInputs, 'scripts/api-document']))
}

try {
  if (!isRelease) await buildPagesAndDocument()
  await fillCompileCache(root, stampOf(serverInputs))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
