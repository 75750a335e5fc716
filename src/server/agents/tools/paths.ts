import { uuidOf } from '#contract/code-values.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { AppError } from '../../http/errors.ts'

/**
 * Returns how the path of one thing in this folder of the API is made. A text that is not an id would lead to
 * another call, as `bin` and `..` do: it is refused with `missing`.
 */
export const pathsIn =
  (folder: string, missing: ErrorCode) =>
  (text: string, part = '') => {
    const id = uuidOf(text)
    if (!id) throw new AppError(missing)
    return `${folder}/${id}${part}`
  }
