import { utmParameters } from '#contract/analytics/figure-values.ts'

/*
 * Campaign parameters live in the link and nowhere else. Everything of a link that is not asked for
 * stays as it is, byte for byte: other parameters, their order and spelling, and what follows the #.
 */

export type CampaignField = (typeof utmParameters)[number]

type Parts = { base: string; parameters: string[]; fragment: string }

/** A typed link in its parts; it need not be an address yet. `parameters` are as they are written. */
function partsOf(link: string): Parts {
  const text = link.trim()
  const hash = text.indexOf('#')
  const address = hash < 0 ? text : text.slice(0, hash)
  const mark = address.indexOf('?')
  const query = mark < 0 ? '' : address.slice(mark + 1)
  return {
    base: mark < 0 ? address : address.slice(0, mark),
    parameters: query === '' ? [] : query.split('&'),
    fragment: hash < 0 ? '' : text.slice(hash),
  }
}

/** The name and the value of a parameter, as a server reads them. */
const readAs = (parameter: string): [name: string, value: string] =>
  [...new URLSearchParams(parameter.replaceAll('?', '%3F'))][0] ?? ['', '']

const isNamed = (field: CampaignField) => (parameter: string) => readAs(parameter)[0] === field

/** The campaign parameters of a link, empty if absent. The first of a repeated parameter counts. */
export function campaignOf(link: string): Record<CampaignField, string> {
  const { parameters } = partsOf(link)
  const read = (field: CampaignField) => {
    const found = parameters.find(isNamed(field))
    return found === undefined ? '' : readAs(found)[1]
  }
  return Object.fromEntries(utmParameters.map((field) => [field, read(field)])) as Record<
    CampaignField,
    string
  >
}

/**
 * The link with another value of one parameter, where its first one stood or else at the end. An empty
 * value takes the parameter away. A repetition would contradict the value, so it goes.
 */
export function withCampaign(link: string, field: CampaignField, value: string): string {
  if (campaignOf(link)[field] === value) return link
  const { base, parameters, fragment } = partsOf(link)
  const is = isNamed(field)
  const written = value === '' ? [] : [`${field}=${encodeURIComponent(value.toWellFormed())}`]
  const at = parameters.findIndex(is)
  const others = parameters.filter((parameter) => !is(parameter))
  const next = others.toSpliced(at < 0 ? others.length : at, 0, ...written)
  return base + (next.length > 0 ? `?${next.join('&')}` : '') + fragment
}
