import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { ConfigError } from '../src/server/config.ts'

/* Files of a command are for its user alone, like those of the service. */
process.umask(0o077)

/** Ends a command with one line. */
export function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

/** Does what a command is for. If that fails, ends it with one line: a wrong setting, or what did not happen and why. */
export async function run(work: () => Promise<void>, failure: string): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message)
    fail(`${failure}: ${(error as Error).message}`)
  }
}

/** The options and names of a command; ends it with its usage if they are others. */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  options: Options,
  usage: string,
) {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch {
    return fail(usage)
  }
}
