import { readFileSync } from 'node:fs'

/** The program's version, as package.json has it. */
export function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')).version
}
