import { type CodeChange, codeForm, type QrCode } from '#contract/codes.ts'
import { fieldsOf, lookOf } from '#contract/pictures/pictures.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import type { Values } from '../../kept-form.ts'
import { isSameTags } from './tags/tag-lists.ts'

export type Field = keyof Values

const empty: Values = {
  name: '',
  url: '',
  vanityUrl: '',
  tags: [],
  ...fieldsOf(DEFAULT_LOOK),
}

export function valuesOf(code: QrCode | undefined): Values {
  if (!code) return empty
  const { name, url, vanityUrl, tags } = code
  return { name, url, vanityUrl: vanityUrl ?? '', tags, ...fieldsOf(lookOf(code)) }
}

/**
 * An untouched custom path is left out, so that a plan without custom paths can save the rest; so are
 * untouched tags, which would be made again if they were deleted meanwhile.
 */
export function changeOf(
  values: Values,
  code: Pick<QrCode, 'vanityUrl'> & Partial<Pick<QrCode, 'tags'>>,
): CodeChange {
  const { vanityUrl, tags, ...rest } = codeForm.parse(values)
  return {
    ...rest,
    ...((vanityUrl ?? null) === code.vanityUrl ? {} : { vanityUrl }),
    ...(isSameTags(tags, code.tags ?? []) ? {} : { tags }),
  }
}
