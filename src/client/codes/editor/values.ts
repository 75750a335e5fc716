import { type CodeChange, codeForm, type QrCode } from '#contract/codes.ts'
import { fieldsOf, lookOf } from '#contract/pictures/pictures.ts'
import { DEFAULT_LOOK } from '#qr/symbol/look.ts'
import type { Values } from '../../kept-form.ts'

export type Field = keyof Values

const empty: Values = {
  name: '',
  url: '',
  vanityUrl: '',
  ...fieldsOf(DEFAULT_LOOK),
}

export function valuesOf(code: QrCode | undefined): Values {
  if (!code) return empty
  const { name, url, vanityUrl } = code
  return { name, url, vanityUrl: vanityUrl ?? '', ...fieldsOf(lookOf(code)) }
}

/** An untouched custom path is left out, so that a plan without custom paths can save the rest. */
export function changeOf(values: Values, code: Pick<QrCode, 'vanityUrl'>): CodeChange {
  const { vanityUrl, ...rest } = codeForm.parse(values)
  return (vanityUrl ?? null) === code.vanityUrl ? rest : { ...rest, vanityUrl }
}
