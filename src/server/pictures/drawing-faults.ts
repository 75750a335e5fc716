import { invalidInput } from '../http/errors.ts'
import type { DrawingFault } from './drawing-tasks.ts'

/** A thread that broke or came to no end. Answered as 503, logged with what happened. */
export class DrawingFailed extends Error {
  override name = 'DrawingFailed'
  readonly statusCode = 503
}

/** What asks too much of a picture, by the name of the engine's error. */
const fieldAtFault: Record<string, string | undefined> = {
  PictureTooSmall: 'size',
  TextTooLong: 'ecc',
}

/** What a thread threw, as the API says it. */
export function errorOf({ name, message, stack }: DrawingFault): Error {
  const path = fieldAtFault[name]
  return path
    ? invalidInput([{ path, message }])
    : Object.assign(new Error(message), { name, stack })
}
