/**
 * `npm run release`: makes dist/tessera-<version>.tar.gz with all that a server needs to run. Unpack it,
 * then `npm ci --omit=dev` and `npm start`. It takes the files as git has them, so commit first.
 */
import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail } from './command.ts'
import { releaseFiles } from './release/release-files.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

/** Runs a program in the project's folder. Returns what it prints. */
const run = (program: string, ...options: string[]) =>
  execFileSync(program, options, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })

async function makeRelease(version: string): Promise<string> {
  run(process.execPath, 'scripts/build.ts', '--if-stale')
  const name = `tessera-${version}`
  const workspace = await mkdtemp(join(dist, '.release-'))
  try {
    const folder = join(workspace, name)
    const tracked = run('git', 'ls-files', '-z').split('\0').filter(Boolean)
    for (const file of releaseFiles(tracked)) await cp(join(root, file), join(folder, file))
    for (const built of ['client', 'openapi.json']) {
      await cp(join(dist, built), join(folder, 'dist', built), { recursive: true })
    }
    // By this file npm start knows that there is nothing to build.
    await writeFile(join(folder, 'dist/release'), `${version}\n`)
    const archive = join(dist, `${name}.tar.gz`)
    run('tar', '-czf', archive, '-C', workspace, name)
    return archive
  } finally {
    await rm(workspace, { recursive: true, force: true })
  }
}

const changes = run('git', 'status', '--porcelain', '--untracked-files=no')
if (changes) fail('Commit your changes first: a release has the files of a commit.')
const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
console.log(await makeRelease(version))
