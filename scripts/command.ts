import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/* Files of a command are for its user alone, like those of the service. */
process.umask(0o077)

/** Ends a command with one line. */
export function fail(message: string): never {
  console.error(message)
  process.exit(1)
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
