import { z } from '#contract/zod.ts'

type Issue = z.core.$ZodRawIssue

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const formats: Record<string, string> = {
  uuid: 'Must be an id, such as 7f1c2f6e-5a57-4d8c-9f5e-0d6b3f1c2a4b',
  datetime: 'Must be a time, such as 2026-03-05T09:04:00Z',
  date: 'Must be a date, such as 2026-03-05',
}

/** Values that a message lists */
const LISTED_MAX = 12

const listOf = (values: string[]) =>
  values.slice(0, LISTED_MAX).join(', ') + (values.length > LISTED_MAX ? ', …' : '')

/** Says in plain words what is wrong with an input, where its schema has no words of its own. */
function plainMessage(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return `${nameOf(issue)} is required`
      return `Must be ${kinds[issue.expected] ?? 'of another type'}`
    case 'invalid_value':
      return `Must be one of: ${listOf(issue.values.map(String))}`
    case 'invalid_format':
      return formats[issue.format] ?? 'Isn’t in the format of this field'
    case 'unrecognized_keys':
      return `Unknown field: ${[...(issue.path ?? []), issue.keys[0]].join('.')}`
    case 'too_small':
      return `Must ${bound(issue.origin, 'at least', issue.minimum)}`
    case 'too_big':
      return `Must ${bound(issue.origin, 'at most', issue.maximum)}`
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`
    case 'invalid_union':
      return 'Isn’t a value that this field takes'
    default:
      return undefined
  }
}

function nameOf({ path = [] }: Issue): string {
  return path.length === 0 ? 'A JSON body' : path.map(String).join('.')
}

function bound(origin: string, most: string, limit: number | bigint): string {
  const plural = Number(limit) === 1 ? '' : 's'
  if (origin === 'string') return `have ${most} ${limit} character${plural}`
  if (origin === 'array' || origin === 'set') return `have ${most} ${limit} item${plural}`
  return `be ${most} ${limit}`
}

/** Lets all schemas of this process speak plain words. */
export function setPlainMessages() {
  z.config({ customError: plainMessage })
}
