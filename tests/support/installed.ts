import { execFileSync } from 'node:child_process'

/** Whether a server that `.ci/run` installs is on this machine. */
export function isInstalled(program: 'nginx' | 'caddy' | 'openssl'): boolean {
  try {
    execFileSync(program, [program === 'nginx' ? '-v' : 'version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
