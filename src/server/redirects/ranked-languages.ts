/** The longest header that is read, in characters: browsers send some dozens. */
const HEADER_MAX = 200

/**
 * The languages of an Accept-Language header in lower case, best first; those with the same weight in their order,
 * those with weight 0 not at all (RFC 9110 §12.5.4).
 */
export function rankedLanguages(header = ''): string[] {
  const ranges = header.slice(0, HEADER_MAX).toLowerCase().split(',')
  return ranges
    .map((range) => {
      const [, tag = '', weight = '1'] = /^\s*([a-z\d*-]+)\s*(?:;\s*q=(\S*))?/.exec(range) ?? []
      return { tag, weight: Number(weight) }
    })
    .filter(({ tag, weight }) => tag !== '' && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag)
}
