import type { LatestScan } from '#contract/analytics/analytics.ts'

type Scan = NonNullable<LatestScan['scan']>

/** Devices with a name of their own, by their kind and system. */
const named: Record<string, string> = {
  'Mobile iOS': 'an iPhone',
  'Mobile Android': 'an Android phone',
  'Tablet iOS': 'an iPad',
  'Tablet macOS': 'an iPad',
  'Tablet Android': 'an Android tablet',
  'Desktop Windows': 'a Windows computer',
  'Desktop macOS': 'a Mac',
  'Desktop Linux': 'a Linux computer',
  'Desktop Chrome OS': 'a Chromebook',
}

const kinds: Record<string, string> = {
  Mobile: 'a phone',
  Tablet: 'a tablet',
  Desktop: 'a computer',
  TV: 'a TV',
}

/** "an iPhone", "a tablet"; null if it is not known. */
function deviceText(device: string | null, os: string | null): string | null {
  return named[`${device} ${os}`] ?? kinds[device ?? ''] ?? null
}

/** Countries whose English name takes an article. */
const WITH_ARTICLE =
  /\b(?:Islands|States|Kingdom|Emirates|Republic|Territor(?:y|ies))\b|^(?:Bahamas|Comoros|Gambia|Isle of Man|Maldives|Netherlands|Philippines|Seychelles)$/

/** "in Germany", "in the United States", "in Lyon, France"; null if the place is not known. */
function placeText({ city, country }: Scan['place']): string | null {
  if (city) return `in ${[city, country].filter(Boolean).join(', ')}`
  return country && `in ${WITH_ARTICLE.test(country) ? 'the ' : ''}${country}`
}

/** "in Germany, on an iPhone", without what is not known. */
export function howText({ place, device, os }: Scan): string {
  const what = deviceText(device, os)
  return [placeText(place), what && `on ${what}`].filter(Boolean).join(', ')
}

/** "Just scanned in Germany, on an iPhone." */
export const seenText = (scan: Scan) => `Just scanned ${howText(scan)}`.trim().concat('.')
