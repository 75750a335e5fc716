import { ConfigError } from '../src/server/config.ts'
import { fail } from './command.ts'

/** Does what a command is for. If that fails, ends it with one line: a wrong setting, or what did not happen and why. */
export async function runCommand(work: () => Promise<void>, failure: string): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message)
    fail(`${failure}: ${(error as Error).message}`)
  }
}
