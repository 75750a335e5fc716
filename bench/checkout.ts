import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A running site and the cookie of a user whose codes have scans. */
export type Site = { origin: string; cookie: string; stop: () => Promise<void> }

/** Checks a commit out into a folder of its own, installs its packages and builds it. */
export function checkOut(commit: string): { folder: string; remove: () => void } {
  const parent = mkdtempSync(join(tmpdir(), 'tessera-checkout-'))
  const folder = join(parent, 'tessera')
  const run = (program: string, args: string[], cwd = folder) =>
    execFileSync(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  run('git', ['worktree', 'add', '--detach', folder, commit], '.')
  run('npm', ['ci', '--no-audit', '--no-fund'])
  run('npm', ['run', 'build'])
  const remove = () => {
    run('git', ['worktree', 'remove', '--force', folder], '.')
    rmSync(parent, { recursive: true, force: true })
  }
  return { folder, remove }
}

/** A script for `node -e`: its threads would take over `--input-type=module`. */
const serve = (codes: number) => `
  Promise.all([import('./tests/support/process.ts'), import('./bench/owner.ts')]).then(
    async ([{ startProcess }, { ownerOf }]) => {
      const site = await startProcess()
      const { cookie } = await ownerOf(site, ${codes})
      console.log(JSON.stringify({ origin: site.origin, cookie }))
      process.stdin.resume().on('end', async () => {
        await site.stop()
        await site.remove()
        process.exit()
      })
    })`

/** Starts the site of a checkout, with a user who has this many codes. It ends with its standard input. */
export async function startSite(folder: string, codes: number): Promise<Site> {
  const child: ChildProcess = spawn(join(folder, 'node_modules/.bin/node'), ['-e', serve(codes)], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (!child.stdin || !child.stdout) throw new Error('the site has no pipes')
  const { stdin } = child
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error(`the site in ${folder} ended`))),
  ])
  return {
    ...(JSON.parse(line) as { origin: string; cookie: string }),
    stop: async () => {
      stdin.end()
      await once(child, 'exit')
    },
  }
}
