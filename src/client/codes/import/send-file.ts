import type { MadeImport } from '#contract/imports.ts'
import { PAGE_OF } from '#contract/page-of.ts'
import { ApiError, isRefusal } from '../../api.ts'
import { noteOther, pageOwner } from '../../page-owner.ts'

type Way = {
  signal: AbortSignal
  /** How much of the file has been sent, from 0 to 1. Then the server reads it. */
  tell: (share: number) => void
}

/** What the server takes of a file's name */
const NAME_MAX = 200

const types: Record<string, string> = {
  json: 'application/json',
  tsv: 'text/tab-separated-values',
}

/** Browsers name the type of such a file by what else is installed: its name is better. */
const typeOf = (name: string) => types[extensionOf(name)] ?? 'text/csv'

export const extensionOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''

/**
 * Sends a file of codes, with what no `fetch` tells: how much of it is on its way.
 * @throws ApiError, and Error where there is no network
 */
export function sendFile(file: File, { signal, tell }: Way): Promise<MadeImport> {
  const { promise, resolve, reject } = Promise.withResolvers<MadeImport>()
  const call = new XMLHttpRequest()
  const name = file.name.slice(0, NAME_MAX).toWellFormed()
  call.open('POST', `/api/imports?name=${encodeURIComponent(name)}`)
  call.setRequestHeader('Content-Type', typeOf(file.name))
  const owner = pageOwner()
  if (owner) call.setRequestHeader(PAGE_OF, owner)
  call.upload.addEventListener('progress', ({ loaded, total }) => tell(loaded / (total || 1)))
  call.upload.addEventListener('load', () => tell(1))
  call.addEventListener('error', () => reject(new Error('No network')))
  call.addEventListener('abort', () => reject(signal.reason))
  call.addEventListener('load', () => {
    const { status, statusText, responseText } = call
    if (status === 201) return resolve(JSON.parse(responseText))
    const error = new ApiError(status, statusText, responseText)
    if (isRefusal(error, 'other_account')) noteOther()
    reject(error)
  })
  signal.addEventListener('abort', () => call.abort(), { once: true })
  call.send(file)
  return promise
}
