import { timeZone } from '../analytics/analytics.ts'
import { deviceNames } from '../analytics/figure-values.ts'
import { countries } from '../countries.ts'
import {
  anyTime,
  list,
  oneOf,
  plainText,
  text,
  textOrNull,
  URL_WORDS,
  whole,
  wholeOrNull,
  z,
} from '../zod.ts'
import { destination } from './destination.ts'
import {
  RULES_LENGTH_MAX,
  RULES_MAX,
  SCANS_MAX,
  systems,
  VALUES_MAX,
  VARIANTS_MAX,
  weekdays,
} from './rule-values.ts'

/** Several values of a condition, of which one has to fit */
const anyOf = <Value extends z.ZodType>(value: Value, words: string) =>
  list(value, words).min(1, 'Choose at least one').max(VALUES_MAX).optional()

const country = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => countries.has(code), 'Must be a country’s two letters, such as PL')

/** A language range of RFC 4647 §2.1: `pt` is also Brazil's, `pt-br` is only that. */
const language = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/, 'Must be a language such as pl or pt-BR')

const clock = text('A time such as 22:00.').regex(
  /^([01]\d|2[0-3]):[0-5]\d$/,
  'Must be a time such as 22:00',
)
const date = z.iso.date('Must be a date such as 2026-12-24')

/** From one value to another, both included; a missing one bounds nothing. */
const span = <Value extends z.ZodType<string | number>>(value: Value, words: string) =>
  z
    .strictObject({
      from: value.optional().describe('No bound without it.'),
      until: value.optional().describe('Included. No bound without it.'),
    })
    .refine(({ from, until }) => (from ?? until) !== undefined, 'Needs a beginning or an end')
    .refine(({ from, until }) => from === undefined || until === undefined || from <= until, {
      path: ['until'],
      message: 'Ends before it begins',
    })
    .describe(words)
    .optional()

const ZONE = 'The time zone of days and hours; UTC without one.'

/** The conditions of a rule: all that it has must hold. docs/rules.md explains each. */
const conditions = {
  countries: anyOf(country, 'Countries that the scan comes from, as ISO 3166-1 alpha-2.'),
  regions: anyOf(
    plainText.min(1).max(100),
    'Regions by name, if the server’s place database has regions.',
  ),
  devices: anyOf(z.enum(deviceNames), 'Kinds of devices.'),
  systems: anyOf(z.enum(systems), 'Operating systems. iPads often say that they are Macs.'),
  languages: anyOf(
    language,
    'Languages: the one that the visitor’s browser ranks first is looked for here. `pt` includes `pt-BR`.',
  ),
  weekdays: anyOf(
    z.literal(weekdays),
    'Days of the week: 1 is Monday. A night counts to the day on which it begins.',
  ),
  hours: z
    .strictObject({ from: clock, until: clock })
    .describe(
      'Hours of the day, without the last minute. They may go past midnight: 22:00 to 06:00.',
    )
    .optional(),
  dates: span(date, 'The first and the last day.'),
  /** The zone of `weekdays`, `hours` and `dates` */
  timeZone: timeZone.optional().describe(ZONE),
  parameter: z
    .strictObject({
      name: plainText.min(1, 'Name is required').max(100).describe('The name of the parameter.'),
      value: plainText.max(100).optional().describe('Any value without one.'),
    })
    .describe('A parameter of the printed link, such as `?table=5`.')
    .optional(),
  scans: span(
    z.int().min(1).max(SCANS_MAX),
    'Which scans by persons, counting from 1, such as the first 100.',
  ),
}

const branchId = z.string().regex(/^[a-z0-9]{8}$/)

/** The rules of a code as calls take them. A variant without an id gets one. */
export const codeRules = z
  .array(
    z.strictObject({
      ...conditions,
      variants: z
        .array(
          z.strictObject({
            id: branchId.optional().describe('From an answer: its visitors stay with it.'),
            url: destination.describe(URL_WORDS),
            share: z.int().min(1).max(100).default(100).describe('Percent of the rule’s visitors.'),
          }),
        )
        .min(1)
        .max(VARIANTS_MAX, `A rule can have up to ${VARIANTS_MAX} destinations`)
        .refine((variants) => variants.reduce((sum, { share }) => sum + share, 0) === 100, {
          message: 'The shares of a rule must add up to 100',
        })
        .describe('Where the rule leads; several share its visitors.'),
    }),
  )
  .max(RULES_MAX, `A code can have up to ${RULES_MAX} rules`)
  .refine((rules) => JSON.stringify(rules).length <= RULES_LENGTH_MAX, 'These rules are too long')
  .refine((rules) => {
    const ids = rules.flatMap(({ variants }) => variants.flatMap(({ id }) => id ?? []))
    return new Set(ids).size === ids.length
  }, 'Two destinations have the same id')
export type NewRule = z.output<typeof codeRules>[number]
export type RuleInput = z.input<typeof codeRules>[number]

/** The rules of a code as every call answers them, in their order. */
export const savedRules = list(
  z.strictObject({
    ...conditions,
    timeZone: text(ZONE).optional(),
    variants: list(
      z.strictObject({
        id: text('Stays when the address changes. Scans that took it have it as `branch`.'),
        url: text(URL_WORDS),
        share: whole('Percent of the rule’s visitors.'),
      }),
      'Where the rule leads; several share its visitors.',
    ),
  }),
  'Rules in their order: the first that fits a scan decides where it leads.',
)
export type Rule = z.output<typeof savedRules>[number]
export type Variant = Rule['variants'][number]

/** Body of POST /api/qr-codes/{id}/try: a scan to imagine. */
export const imaginedScan = z.strictObject({
  country: country.optional().describe('Where it comes from.'),
  region: plainText.max(100).optional().describe('The region there.'),
  device: z.enum(deviceNames).optional().describe('The kind of device.'),
  system: z.enum(systems).optional().describe('Its operating system.'),
  language: language.optional().describe('The language that its browser ranks first.'),
  query: z.string().max(2_000).default('').describe('Parameters of the link, such as `table=5`.'),
  scan: z.int().min(1).max(SCANS_MAX).default(1).describe('Which scan by a person it is.'),
  at: anyTime.optional().describe('When; now without it.'),
  rules: codeRules.optional().describe('Rules to try in place of those it has.'),
})
export type ImaginedScan = z.output<typeof imaginedScan>

/** The answer to an imagined scan, which is not counted. */
export const imaginedAnswer = z.strictObject({
  gets: oneOf(
    ['destination', 'fallback', 'early', 'paused', 'expired', 'over'],
    'Where it leads, or the page that the visitor sees.',
  ),
  url: textOrNull('The address that it leads to.'),
  rule: wholeOrNull('The rule that decided, from 1; null for none.'),
})
export type ImaginedAnswer = z.output<typeof imaginedAnswer>
