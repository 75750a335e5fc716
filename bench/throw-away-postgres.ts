import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../tests/support/free-port.ts'

export type ThrowAwayPostgres = { url: string; end: () => void }

/** PostgreSQL does not run as root. */
function asPostgres(command: string) {
  const isRoot = process.getuid?.() === 0
  const [program, args] = isRoot
    ? ['su', ['postgres', '-s', '/bin/bash', '-c', command]]
    : ['bash', ['-c', command]]
  const { status, stderr } = spawnSync(program as string, args as string[], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command}: ${stderr}`)
}

const postgresBin = () => globSync('/usr/lib/postgresql/*/bin').sort().at(-1)

export const hasPostgres = () => postgresBin() !== undefined

/**
 * A PostgreSQL server of its own, with the settings that it has from its makers: each commit is on
 * disk. @param kept a folder in which its data stay for the next time
 * @throws where none is installed
 */
export async function throwAwayPostgres(kept?: string): Promise<ThrowAwayPostgres> {
  const bin = postgresBin()
  if (!bin) throw new Error('no PostgreSQL in /usr/lib/postgresql')
  const port = await freePort()
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'tessera-postgres-'))
  mkdirSync(folder, { recursive: true })
  const data = join(folder, 'data')
  if (process.getuid?.() === 0) spawnSync('chown', ['postgres', folder])
  if (!existsSync(data)) {
    const options = '-A trust -U postgres -E UTF8 --locale=C.UTF-8'
    asPostgres(`'${bin}/initdb' -D '${data}' ${options} >/dev/null`)
  }
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=300`
  // Its standard output would keep us waiting until the server ends.
  asPostgres(`'${bin}/pg_ctl' -D '${data}' -w -l '${folder}/log' -o '${options}' start >/dev/null`)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    end: () => {
      const mode = kept ? 'fast' : 'immediate'
      asPostgres(`'${bin}/pg_ctl' -D '${data}' -m ${mode} -w stop >/dev/null`)
      if (!kept) rmSync(folder, { recursive: true, force: true })
    },
  }
}
