import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'

/** An API key, wherever a caller has put it, also percent-encoded */
const KEY = /tsk(?:_|%5f)[\w%-]+/gi

/** The service's log. No record of it holds an API key: some callers put theirs into an address. */
export function createLog(level: LoggerOptions['level'], stream?: DestinationStream): Logger {
  const hooks = { streamWrite: (line: string) => line.replace(KEY, 'tsk_…') }
  return stream ? pino({ level, hooks }, stream) : pino({ level, hooks })
}
