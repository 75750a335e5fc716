import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../tests/support/free-port.ts'

export type ThrowAwayPostgres = { url: string; pid: number; end: () => void }

/** PostgreSQL does not run as root. */
function asPostgres(command: string) {
  const isRoot = process.getuid?.() === 0
  const [program, args] = isRoot
    ? ['su', ['postgres', '-s', '/bin/bash', '-c', command]]
    : ['bash', ['-c', command]]
  const { status, stderr } = spawnSync(program as string, args as string[], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}

/**
 * A PostgreSQL server of its own, with the settings that it has from its makers: each commit is on
 * disk. @throws where none is installed
 */
export async function throwAwayPostgres(): Promise<ThrowAwayPostgres> {
  const bin = globSync('/usr/lib/postgresql/*/bin').sort().at(-1)
  if (!bin) throw new Error('no PostgreSQL in /usr/lib/postgresql')
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'tessera-postgres-'))
  const data = join(folder, 'data')
  if (process.getuid?.() === 0) spawnSync('chown', ['postgres', folder])
  asPostgres(
    `'${bin}/initdb' -D '${data}' -A trust -U postgres -E UTF8 --locale=C.UTF-8 >/dev/null`,
  )
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=300`
  // Its standard output would keep us waiting until the server ends.
  asPostgres(`'${bin}/pg_ctl' -D '${data}' -w -l '${folder}/log' -o '${options}' start >/dev/null`)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]),
    end: () => {
      asPostgres(`'${bin}/pg_ctl' -D '${data}' -m immediate -w stop >/dev/null`)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
