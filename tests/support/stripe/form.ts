import { StripeRefusal } from './refusals.ts'

export type Form = { [name: string]: string | Form | Form[] | string[] }

/** Reads a form as Stripe does: `a[b][0][c]=1` stands for nested objects and lists. */
export function readForm(text: string): Form {
  const root: Form = {}
  for (const [name, value] of new URLSearchParams(text)) put(root, pathOf(name), value)
  return lists(root) as Form
}

function pathOf(name: string): string[] {
  const whole = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name)
  if (!whole) throw new StripeRefusal(400, { message: `Received unknown parameter: ${name}` })
  const [, first = '', rest = ''] = whole
  return [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, part = '']) => part)]
}

function put(root: Form, path: string[], value: string) {
  let at = root
  for (const part of path.slice(0, -1)) {
    at[part] ??= {}
    if (typeof at[part] === 'string') throw new StripeRefusal(400, { message: 'Invalid form' })
    at = at[part] as Form
  }
  const last = path.at(-1) ?? ''
  if (last in at) throw new StripeRefusal(400, { message: `Received ${path} twice` })
  at[last] = value
}

/** Turns objects with the names 0, 1, 2 … into lists. */
function lists(value: Form | string): unknown {
  if (typeof value === 'string') return value
  const names = Object.keys(value)
  const parts = names.map((name) => lists(value[name] as Form | string))
  const isList = names.length > 0 && names.every((name, at) => name === String(at))
  return isList ? parts : Object.fromEntries(names.map((name, at) => [name, parts[at]]))
}
