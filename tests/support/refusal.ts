import { expect } from 'vitest'
import { type ErrorBody, type ErrorCode, errorBody, errorTable } from '../../src/contract/errors.ts'

/**
 * The error in a response, with its status. Fails the test if the body does not have the contract's
 * shape, or if the status is not its code's.
 */
export async function refusal(response: Response): Promise<ErrorBody & { status: number }> {
  const text = await response.text()
  const parsed = errorBody.strict().safeParse(parse(text))
  if (!parsed.success) throw new Error(`${response.status} is no refusal: ${text.slice(0, 500)}`)
  const { status } = errorTable[parsed.data.code]
  if (status !== response.status)
    throw new Error(`${parsed.data.code} came with ${response.status}`)
  return { status, ...parsed.data }
}

/** Expects that a call is refused with this code, and with the code's status. Returns the error. */
export async function expectRefusal(call: Promise<Response> | Response, code: ErrorCode) {
  const error = await refusal(await call)
  expect(error.code, error.message).toBe(code)
  return error
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
