import type { ErrorBody } from '#contract/errors.ts'
import { PAGE_OF } from '#contract/page-of.ts'
import { noteFigures } from './figures-until.ts'
import { blocks, notePage, pageOwner } from './page-owner.ts'
import { inWorkspace } from './workspace.ts'

/** A non-OK response. `message` is the status, a colon and space, then the body or the status text. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorBody['code'] | undefined
  readonly serverMessage: string | undefined
  readonly fields: Record<string, string>

  constructor(status: number, statusText: string, body: string) {
    super(`${status}: ${body || statusText}`)
    this.status = status
    const parsed = parseErrorBody(body)
    this.code = parsed.code
    this.serverMessage = parsed.message
    this.fields = parsed.fields ?? {}
  }
}

/** A proxy may answer with a page instead of our error body. */
function parseErrorBody(body: string): Partial<ErrorBody> {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === 'object' && parsed !== null ? parsed : {}
  } catch {
    return {}
  }
}

export function isUnauthorized(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.message.startsWith('401') &&
    error.message.includes('Unauthorized')
  )
}

/** Whether the server refused a call with this code. */
export function isRefusal(error: unknown, code: ErrorBody['code']): boolean {
  return error instanceof ApiError && error.code === code
}

/** The refusal after which the page can do nothing more, if it is one */
export const blockedBy = (error: unknown) => blocks.find((code) => isRefusal(error, code))

export function notePageBlocked(error: ApiError): void {
  const block = blockedBy(error)
  if (block) notePage(block)
}

/** The server's own message, if it sent one. */
export function serverMessageOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.serverMessage : undefined
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Sends cookies, throws ApiError on a non-OK response. A file goes as it is, anything else as JSON. */
export async function request(
  method: Method,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const owner = pageOwner()
  const content = body === undefined ? undefined : contentOf(body)
  const response = await fetch(inWorkspace(path), {
    method,
    credentials: 'include',
    headers: { ...content?.headers, ...(owner && { [PAGE_OF]: owner }), ...headers },
    ...(content && { body: content.body }),
    ...(signal && { signal }),
  })
  noteFigures(path, response)
  if (!response.ok) {
    const error = new ApiError(response.status, response.statusText, await response.text())
    notePageBlocked(error)
    throw error
  }
  return response
}

function contentOf(body: unknown) {
  if (body instanceof Blob) return { headers: { 'Content-Type': body.type }, body }
  return { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}

export async function requestJson<T>(
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<T> {
  const response = await request(method, path, body, headers)
  return response.json()
}
