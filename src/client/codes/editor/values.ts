import { foldedTag } from '#contract/codes/code-values.ts'
import { type CodeChange, codeForm, type QrCode } from '#contract/codes/codes.ts'
import { destinationOf } from '#contract/links.ts'
import { fieldsOf, lookOf } from '#contract/pictures/pictures.ts'
import { shownAddress } from '#contract/shown-address.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import type { Values } from '../../kept-form.ts'

export type Field = keyof Values

/** The fields by the names that stand at them, in the order of the form. */
export const fieldNames: Record<Field, string> = {
  name: 'QR Code Name',
  url: 'Destination URL',
  domain: 'Domain',
  vanityUrl: 'Custom URL (Optional)',
  tags: 'Tags',
  style: 'Style',
  foregroundColor: 'Foreground color',
  backgroundColor: 'Background color',
  ecc: 'Error correction',
  compact: 'Compact code',
  artwork: 'Shapes, logo, and frame',
  passQuery: 'Pass parameters on',
}

const empty: Values = {
  name: '',
  url: '',
  domain: '',
  vanityUrl: '',
  tags: [],
  passQuery: false,
  ...fieldsOf(DEFAULT_LOOK),
}

export function valuesOf(code: QrCode | undefined): Values {
  if (!code) return empty
  const { name, url, domain, vanityUrl, tags, passQuery } = code
  // As people write it, if that is the same address.
  const shown = shownAddress(url)
  const address = destinationOf(shown) === url ? shown : url
  const place = { domain: domain ?? '', vanityUrl: vanityUrl ?? '' }
  return { name, url: address, ...place, tags, passQuery, ...fieldsOf(lookOf(code)) }
}

/** The form's values without a custom path that a code keeps: an import may have brought it from another service. */
export const checkedValues = (values: Values, code?: Pick<QrCode, 'vanityUrl'>): Values =>
  values.domain !== '' && values.vanityUrl === (code?.vanityUrl ?? '')
    ? { ...values, vanityUrl: '' }
    : values

/**
 * An untouched custom path is left out, so that a plan without custom paths can save the rest; so are
 * untouched tags, which would be made again if they had been deleted elsewhere.
 */
export function changeOf(
  values: Values,
  code: Pick<QrCode, 'vanityUrl'> & Partial<Pick<QrCode, 'tags'>>,
): CodeChange {
  const { vanityUrl, tags, ...rest } = codeForm.parse(checkedValues(values, code))
  const isUntouched =
    values.vanityUrl === (code.vanityUrl ?? '') || (vanityUrl ?? null) === code.vanityUrl
  return {
    ...rest,
    ...(isUntouched ? {} : { vanityUrl }),
    ...(settled('tags', tags) === settled('tags', code.tags ?? []) ? {} : { tags }),
  }
}

/** The fields in which two forms would save something else. */
export function differingFields(mine: Values, theirs: Values): Field[] {
  const fields = Object.keys(fieldNames) as Field[]
  return fields.filter((field) => settled(field, mine[field]) !== settled(field, theirs[field]))
}

/** A value without the blanks around it, the order of tags, and capitals in colours and tags. */
function settled(field: Field, value: Values[Field]): string | boolean {
  if (Array.isArray(value)) return JSON.stringify(value.map(foldedTag).sort())
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value !== 'string') return value
  const text = value.trim()
  if (field === 'url') return destinationOf(text) ?? text
  return field === 'name' ? text : text.toLowerCase()
}
