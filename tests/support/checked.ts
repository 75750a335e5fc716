import { expect } from 'vitest'
import type { QrCode } from '../../src/contract/codes.ts'

/** A code as it was answered, whether or not its scan check has been made since: that may be any moment. */
export function checkedOrNot(code: QrCode): QrCode {
  return { ...code, legibility: expect.toBeOneOf([null, expect.any(String)]) }
}
